import { Switch } from "@mantine/core";
import { StepPanel } from "../../event-new/StepPanel";
import { Failure } from "../../frame/Failure";
import { deadlineOf, wireThread } from "../draft";
import { DeadlineField } from "../how/DeadlineField";
import classes from "../how/How.module.css";
import { ruleProblem } from "../how/rule";
import { RuleForm } from "../how/RuleForm";
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
  const preview = useCreationPreview(wireThread(draft, people.groups, now), missing === null && people.people !== undefined);
  const refused = preview.isError && !preview.behind ? serverErrors(preview.error) : null;
  return (
    <StepPanel step={4} names={STEPS} lead="答えが揃ったら、日程が自動で決まり、全員に知らせが届きます。" back={back} next={next}>
      {people.isError && <Failure error={people.error} retry={() => void people.refetch()} />}
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
        <Switch
          label="条件が揃ったら、自動で決める"
          description="切ると、揃っても決まらず、この画面で「決定」を押すまで待ちます。"
          checked={draft.rule.auto}
          onChange={(event) => change({ rule: { ...draft.rule, auto: event.currentTarget.checked } })}
        />
        <DeadlineField
          at={deadlineOf(draft, now)}
          suggested={draft.deadline === null}
          slots={draft.slots}
          change={(deadline) => change({ deadline })}
          error={errors.deadline_at ?? refused?.deadline_at}
        />
        <Switches options={draft} change={change} />
      </div>
    </StepPanel>
  );
}
