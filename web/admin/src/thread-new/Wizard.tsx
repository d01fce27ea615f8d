import { Button } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { ConfirmDialog } from "../event-new/ConfirmDialog";
import { focusInvalid } from "../event-new/focus-invalid";
import type { Step } from "../event-new/rules/field-errors";
import { Steps } from "../event-new/Steps";
import wizard from "../event-new/Wizard.module.css";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import type { BoardSearch } from "../threads/search";
import { isBlank } from "./draft";
import { HowStep } from "./steps/HowStep";
import { WhatStep } from "./steps/WhatStep";
import { WhenStep } from "./steps/WhenStep";
import { WhoStep } from "./steps/WhoStep";
import { draftErrors, type Errors, errorsOf, firstStepWith, STEPS } from "./steps-of";
import { usePeople } from "./usePeople";
import { useThreadDraft } from "./useThreadDraft";

// The last step shows what will be sent, and is as large as the four others. It is loaded while people are chosen.
const loadLook = () => import("./steps/LookStep");
const LookStep = lazy(async () => ({ default: (await loadLook()).LookStep }));

interface WizardProps {
  username: string;
  step: Step;
  go: (step: Step, replace?: boolean) => void;
  made: (threadId: string, search: BoardSearch) => void;
}

export function Wizard({ username, step, go, made }: WizardProps) {
  const editor = useThreadDraft(username);
  const { draft } = editor;
  const panel = useRef<HTMLDivElement>(null);
  const [confirming, setConfirming] = useState(false);
  const [tried, setTried] = useState<ReadonlySet<Step>>(new Set());
  const [refused, setRefused] = useState<Errors>({});
  const [focusRequests, setFocusRequests] = useState(0);
  const people = usePeople(draft, step >= 3);
  const found = { ...(people.refused ?? {}), ...draftErrors(draft, people.behind ? undefined : people.people?.length, new Date()) };
  const furthest = firstStepWith(found) ?? 5;
  const tooFar = step > furthest;
  const errors = errorsOf({ ...refused, ...(tried.has(step) ? found : {}) }, step);

  useEffect(() => {
    if (tooFar) go(furthest, true);
  }, [tooFar]);
  useEffect(() => {
    window.scrollTo({ top: 0 });
  }, [step]);
  useEffect(() => {
    if (step >= 3) void loadLook().catch(() => {});
  }, [step]);
  // An effect, because the first invalid field can only be found after it is drawn as invalid.
  useEffect(() => {
    if (focusRequests > 0) focusInvalid(panel.current);
  }, [focusRequests]);

  const check = (): boolean => {
    // Also where nothing is wrong yet: what the server says later may lead back here, and then it has to be said why.
    setTried((before) => new Set(before).add(step));
    if (Object.keys(errorsOf(found, step)).length === 0) return true;
    setFocusRequests((count) => count + 1);
    return false;
  };
  const change: typeof editor.change = (fields) => {
    editor.change(fields);
    setRefused({});
  };
  const showRefusal = (given: Errors) => {
    setRefused(given);
    setFocusRequests((count) => count + 1);
    const to = firstStepWith(given);
    if (to !== null && to !== step) go(to);
  };
  const startOver = () => {
    setConfirming(false);
    setTried(new Set());
    setRefused({});
    editor.discard();
    go(1);
  };
  const common = {
    editor,
    draft,
    change,
    errors,
    people,
    next: () => check() && go((step + 1) as Step),
    back: () => go((step - 1) as Step),
  };
  return (
    <>
      <PageHeading
        title="新しい日程調整"
        aside={
          <Button variant="subtle" size="sm" className={isBlank(draft) ? wizard.unseen : undefined} onClick={() => setConfirming(true)}>
            入力を破棄
          </Button>
        }
      >
        入力した内容は、このパソコンに自動で保存されます。途中でやめても、続きから始められます。
      </PageHeading>
      <Steps names={STEPS} label="日程調整の手順" current={step} furthest={furthest} go={(to) => (to < step || check()) && go(to)} />
      {editor.resumed && step === 1 && (
        <Notice tone="info" className={wizard.notice}>
          前回の入力の続きです。はじめから作るときは、右上の「入力を破棄」を押してください。
        </Notice>
      )}
      <div ref={panel}>
        {tooFar && <ListSkeleton />}
        {!tooFar && (
          <>
            {step === 1 && <WhatStep {...common} />}
            {step === 2 && <WhenStep {...common} />}
            {step === 3 && <WhoStep {...common} />}
            {step === 4 && <HowStep {...common} />}
            {step === 5 && (
              <Suspense fallback={<ListSkeleton />}>
                <LookStep {...common} go={go} refuse={showRefusal} made={made} />
              </Suspense>
            )}
          </>
        )}
      </div>
      <ConfirmDialog opened={confirming} title="入力を破棄しますか？" confirm="破棄する" danger onConfirm={startOver} onClose={() => setConfirming(false)}>
        入力した内容を消して、はじめから作り直します。元には戻せません。
      </ConfirmDialog>
    </>
  );
}
