import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Activity, type ReactNode, useEffect, useState } from "react";
import classes from "../booking/Booking.module.css";
import { ConfirmDialog } from "../event-new/ConfirmDialog";
import wizard from "../event-new/Wizard.module.css";
import { type DraftStore, useKeptDraft } from "../frame/kept-draft";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { PlanPreview } from "./PlanPreview";
import type { PlanStep } from "./search";
import { type PlanRequest, usePlan } from "./usePlan";

export interface PlanFormProps<Draft> {
  draft: Draft;
  change: (draft: Draft) => void;
  /** Ask what would be made; called when nothing is missing. */
  submit: () => void;
  busy: boolean;
  error: unknown;
}

interface PlanPageProps<Draft, Content> {
  title: string;
  lead: string;
  store: DraftStore<Draft>;
  blank: () => Draft;
  /** Null while something is missing. */
  bodyOf: (draft: Draft) => Content | null;
  request: PlanRequest<Content>;
  /** Each step has an address of its own, so that Back leads from the preview to the form. */
  step: PlanStep | undefined;
  go: (step: PlanStep | undefined, replace?: boolean) => void;
  form: (props: PlanFormProps<Draft>) => ReactNode;
}

/** Many slots at once: a form that is kept until it is saved or thrown away, a preview, and what was made of it. */
export function PlanPage<Draft, Content extends { dryRun: boolean }>({ title, lead, store, blank, bodyOf, request, step, go, form }: PlanPageProps<Draft, Content>) {
  const editor = useKeptDraft(store, blank);
  const planning = usePlan<Content>(request);
  const [discarding, setDiscarding] = useState(false);
  const { plan, previewing, previewError } = planning;
  const shown = plan !== undefined && step === (plan.dryRun ? "confirm" : "done") ? plan : null;

  // The address asks for a step that this page cannot show yet, as after a reload: the preview is asked for again, and
  // everything else begins with the form.
  useEffect(() => {
    if (step === undefined || shown !== null || previewing) return;
    const body = step === "confirm" && plan === undefined && previewError === null ? bodyOf(editor.draft) : null;
    if (body !== null) planning.preview(body, () => {});
    else go(plan?.dryRun === false ? "done" : undefined, true);
  }, [step, shown, previewing, previewError]);

  const change = (draft: Draft) => {
    editor.change(draft);
    // What was looked at is no longer what the form says.
    if (plan !== undefined) planning.reset();
  };
  const submit = () => {
    const body = bodyOf(editor.draft);
    if (body === null) return;
    editor.change(editor.draft);
    planning.preview(body, () => go("confirm"));
  };
  const made = () => {
    editor.finish();
    go("done", true);
  };
  const startOver = () => {
    setDiscarding(false);
    editor.discard();
    planning.reset();
    go(undefined, true);
  };
  return (
    <>
      <Link data-screen-only to="/booking" search={{}} className={classes.back}>
        ← カレンダーへ
      </Link>
      <PageHeading
        title={title}
        aside={
          <Button variant="subtle" size="sm" className={editor.kept ? undefined : wizard.unseen} onClick={() => setDiscarding(true)}>
            入力を破棄
          </Button>
        }
      >
        {lead}
      </PageHeading>
      {editor.resumed && step === undefined && (
        <Notice tone="info" className={classes.notice}>
          前回の入力の続きです。はじめから作るときは、右上の「入力を破棄」を押してください。
        </Notice>
      )}
      <Activity mode={step === undefined ? "visible" : "hidden"}>
        {form({ draft: editor.draft, change, submit, busy: previewing, error: planning.previewError })}
      </Activity>
      {step !== undefined && shown === null && <ListSkeleton />}
      {shown && (
        <PlanPreview plan={shown} busy={planning.applying} error={planning.applyError} apply={() => planning.apply(made)} change={() => go(undefined)} />
      )}
      <ConfirmDialog opened={discarding} title="入力を破棄しますか？" confirm="破棄する" danger onConfirm={startOver} onClose={() => setDiscarding(false)}>
        入力した内容を消して、はじめから作り直します。元には戻せません。
      </ConfirmDialog>
    </>
  );
}
