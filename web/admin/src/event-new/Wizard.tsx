import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { Ask } from "./Ask";
import { isBlank } from "./draft/draft";
import { useDraft } from "./draft/useDraft";
import { draftFaults, type Faults, firstFaultyStep, furthestStep, STEP_OF, type Step } from "./rules/faults";
import { Steps } from "./Steps";
import { AudienceStep } from "./steps/AudienceStep";
import { BasicsStep } from "./steps/BasicsStep";
import { ConfirmStep } from "./steps/ConfirmStep";
import { PictureStep } from "./steps/PictureStep";
import { RecipientsStep } from "./steps/RecipientsStep";
import { useFaults } from "./useFaults";
import { useRecipients } from "./useRecipients";
import classes from "./Wizard.module.css";

interface WizardProps {
  username: string;
  step: Step;
  go: (step: Step, replace?: boolean) => void;
  onMade: (eventId: number) => void;
}

export function Wizard({ username, step, go, onMade }: WizardProps) {
  const desk = useDraft(username);
  const { draft, picture } = desk;
  const queries = useQueryClient();
  const panel = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState(false);
  const recipients = useRecipients(draft, step >= 4);
  const faults: Faults = draftFaults(draft, picture, new Date());
  if (recipients.all !== null && recipients.chosen.length === 0) faults.target_member_ids = "REQUIRED";
  const furthest = furthestStep(faults);
  const { shown, leave, refuse, touched, forget } = useFaults(faults, step, panel);

  // Until the picture is back from the browser's storage nobody knows whether it is missing.
  const tooFar = picture !== undefined && step > furthest;
  useEffect(() => {
    if (tooFar) go(furthest, true);
  }, [tooFar]);
  useEffect(() => {
    window.scrollTo({ top: 0 });
  }, [step]);

  const change: typeof desk.change = (fields) => {
    desk.change(fields);
    touched(Object.keys(fields) as (keyof typeof fields)[]);
  };
  const refused = (given: Faults) => {
    refuse(given);
    const to = firstFaultyStep(given);
    if (to === STEP_OF.target_member_ids) void queries.invalidateQueries({ queryKey: ["members"] });
    if (to === STEP_OF.target_member_ids) void queries.invalidateQueries({ queryKey: ["recipients"] });
    if (to === STEP_OF.confirm_over_quota) void queries.invalidateQueries({ queryKey: ["event-preview"] });
    if (to !== null && to !== step) go(to);
  };
  const startOver = () => {
    setAsking(false);
    forget();
    desk.discard();
    go(1);
  };
  const made = (eventId: number) => {
    desk.finish();
    void queries.invalidateQueries({ queryKey: ["events"] });
    onMade(eventId);
  };
  const next = () => leave() && go((step + 1) as Step);
  const back = () => go((step - 1) as Step);
  const nothingYet = isBlank(draft) && !picture;
  const common = { desk, change, shown, next, back };
  return (
    <>
      <PageHeading
        title="新しいイベント"
        aside={
          <Button variant="subtle" size="sm" className={nothingYet ? classes.unseen : undefined} onClick={() => setAsking(true)}>
            下書きを破棄
          </Button>
        }
      >
        入力した内容は、このパソコンに自動で保存されます。途中でやめても、続きから始められます。
      </PageHeading>
      <Steps current={step} furthest={furthest} go={(to) => (to < step || leave()) && go(to)} />
      {desk.resumed && step === 1 && (
        <Notice tone="info" className={classes.notice}>
          前回の下書きの続きです。はじめから作るときは、右上の「下書きを破棄」を押してください。
        </Notice>
      )}
      <div ref={panel}>
        {(picture === undefined || tooFar) && step > 1 && <ListSkeleton />}
        {step === 1 && <BasicsStep {...common} />}
        {picture !== undefined && !tooFar && (
          <>
            {step === 2 && <PictureStep {...common} onChosen={() => touched(["image"])} />}
            {step === 3 && <AudienceStep {...common} />}
            {step === 4 && <RecipientsStep {...common} recipients={recipients} />}
            {step === 5 && (
              <ConfirmStep {...common} recipients={recipients} go={go} onFaults={refused} onMade={made} onConfirmed={() => touched(["confirm_over_quota"])} onDiscard={startOver} />
            )}
          </>
        )}
      </div>
      <Ask opened={asking} title="下書きを破棄しますか？" confirm="破棄する" danger onConfirm={startOver} onClose={() => setAsking(false)}>
        入力した内容と画像を消して、はじめから作り直します。元には戻せません。
      </Ask>
    </>
  );
}
