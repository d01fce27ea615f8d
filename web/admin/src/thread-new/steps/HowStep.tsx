import { StepPanel } from "../../event-new/StepPanel";
import { Failure } from "../../frame/Failure";
import { deadlineOf, wireThread } from "../draft";
import { DeadlineField } from "../how/DeadlineField";
import classes from "../how/How.module.css";
import { decidedBy, deciderOf, ruleProblem } from "../how/rule";
import { DeciderCards, RuleForm } from "../how/RuleForm";
import { RuleSentence } from "../how/RuleSentence";
import { Switches } from "../how/Switches";
import { serverErrors } from "../server-errors";
import { STEPS } from "../steps-of";
import { useCreationPreview } from "../usePeople";
import type { StepProps } from "./step-props";

export function HowStep({ draft, change, errors, people, next, back }: StepProps) {
  const now = new Date();
  const asked = people.people ?? [];
  const missing = ruleProblem(draft.rule, asked.length);
  const preview = useCreationPreview(wireThread(draft, people.groups, now, asked.length), missing === null && people.people !== undefined);
  const refused = preview.isError && !preview.behind ? serverErrors(preview.error) : null;
  return (
    <StepPanel step={4} names={STEPS} lead="だれが、どうなったら決めるかを選びます。" back={back} next={next}>
      {people.isError && <Failure error={people.error} retry={() => void people.refetch()} />}
      <DeciderCards chosen={deciderOf(draft)} choose={(decider) => change(decidedBy(decider, draft.rule))} />
      <RuleForm
        rule={draft.rule}
        change={(rule) => change({ rule })}
        people={asked}
        groups={people.groups}
        error={errors.rule ?? refused?.rule}
      />
      <RuleSentence
        missing={missing}
        sentence={preview.data?.rule_sentence}
        behind={preview.behind || preview.isFetching}
        error={preview.isError && refused === null ? preview.error : null}
      />
      <div className={classes.parts}>
        <DeadlineField
          at={deadlineOf(draft, now)}
          suggested={draft.deadline === null}
          slots={draft.slots}
          change={(deadline) => change({ deadline })}
          error={errors.deadline_at ?? refused?.deadline_at}
        />
        <Switches options={draft} change={change} decides={false} />
      </div>
    </StepPanel>
  );
}
