import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { ConfirmDialog } from "./ConfirmDialog";
import { isBlank } from "./draft/draft";
import { useDraft } from "./draft/useDraft";
import { draftErrors, type FieldErrors, firstStepWithErrors, furthestStep, STEP_OF, type Step } from "./rules/field-errors";
import { Steps } from "./Steps";
import { AudienceStep } from "./steps/AudienceStep";
import { BasicsStep } from "./steps/BasicsStep";
import { ConfirmStep } from "./steps/ConfirmStep";
import { PictureStep } from "./steps/PictureStep";
import { RecipientsStep } from "./steps/RecipientsStep";
import { useFieldErrors } from "./useFieldErrors";
import { useRecipients } from "./useRecipients";
import classes from "./Wizard.module.css";

interface WizardProps {
  username: string;
  step: Step;
  go: (step: Step, replace?: boolean) => void;
  onCreated: (eventId: number) => void;
}

export function Wizard({ username, step, go, onCreated }: WizardProps) {
  const editor = useDraft(username);
  const { draft, picture } = editor;
  const queries = useQueryClient();
  const panel = useRef<HTMLDivElement>(null);
  const [confirming, setConfirming] = useState(false);
  const recipients = useRecipients(draft, step >= 4);
  const allErrors: FieldErrors = draftErrors(draft, picture, new Date());
  if (recipients.all !== null && recipients.chosen.length === 0) allErrors.target_member_ids = "REQUIRED";
  const furthest = furthestStep(allErrors);
  const { errors, checkStep, showServerErrors, clearServerErrors, reset } = useFieldErrors(allErrors, step, panel);

  // The picture is read from the browser's storage in the background. Until then it is not known whether it is missing.
  const tooFar = picture !== undefined && step > furthest;
  useEffect(() => {
    if (tooFar) go(furthest, true);
  }, [tooFar]);
  useEffect(() => {
    window.scrollTo({ top: 0 });
  }, [step]);

  const change: typeof editor.change = (fields) => {
    editor.change(fields);
    clearServerErrors(Object.keys(fields) as (keyof typeof fields)[]);
  };
  const refused = (given: FieldErrors) => {
    showServerErrors(given);
    const to = firstStepWithErrors(given);
    if (to === STEP_OF.target_member_ids) void queries.invalidateQueries({ queryKey: ["members"] });
    if (to === STEP_OF.target_member_ids) void queries.invalidateQueries({ queryKey: ["recipients"] });
    if (to === STEP_OF.confirm_over_quota) void queries.invalidateQueries({ queryKey: ["event-preview"] });
    if (to !== null && to !== step) go(to);
  };
  const startOver = () => {
    setConfirming(false);
    reset();
    editor.discard();
    go(1);
  };
  const created = (eventId: number) => {
    editor.finish();
    void queries.invalidateQueries({ queryKey: ["events"] });
    void queries.invalidateQueries({ queryKey: ["overview"] });
    onCreated(eventId);
  };
  const next = () => checkStep() && go((step + 1) as Step);
  const back = () => go((step - 1) as Step);
  const nothingYet = isBlank(draft) && !picture;
  const common = { editor, change, errors, next, back };
  return (
    <>
      <PageHeading
        title="新しいイベント"
        aside={
          <Button variant="subtle" size="sm" className={nothingYet ? classes.unseen : undefined} onClick={() => setConfirming(true)}>
            下書きを破棄
          </Button>
        }
      >
        入力した内容は、このパソコンに自動で保存されます。途中でやめても、続きから始められます。
      </PageHeading>
      <Steps current={step} furthest={furthest} go={(to) => (to < step || checkStep()) && go(to)} />
      {editor.resumed && step === 1 && (
        <Notice tone="info" className={classes.notice}>
          前回の下書きの続きです。はじめから作るときは、右上の「下書きを破棄」を押してください。
        </Notice>
      )}
      <div ref={panel}>
        {(picture === undefined || tooFar) && step > 1 && <ListSkeleton />}
        {step === 1 && <BasicsStep {...common} />}
        {picture !== undefined && !tooFar && (
          <>
            {step === 2 && <PictureStep {...common} onChosen={() => clearServerErrors(["image"])} />}
            {step === 3 && <AudienceStep {...common} />}
            {step === 4 && <RecipientsStep {...common} recipients={recipients} />}
            {step === 5 && (
              <ConfirmStep {...common} recipients={recipients} go={go} onFieldErrors={refused} onCreated={created} onConfirmed={() => clearServerErrors(["confirm_over_quota"])} onDiscard={startOver} />
            )}
          </>
        )}
      </div>
      <ConfirmDialog opened={confirming} title="下書きを破棄しますか？" confirm="破棄する" danger onConfirm={startOver} onClose={() => setConfirming(false)}>
        入力した内容と画像を消して、はじめから作り直します。元には戻せません。
      </ConfirmDialog>
    </>
  );
}
