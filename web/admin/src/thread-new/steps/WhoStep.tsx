import { StepPanel } from "../../event-new/StepPanel";
import { Failure } from "../../frame/Failure";
import { MOST_PEOPLE, peopleCount } from "../../threads/thread";
import { STEPS } from "../steps-of";
import { PeopleChoice } from "../who/PeopleChoice";
import { Suggestions } from "../who/Suggestions";
import classes from "../who/Who.module.css";
import type { StepProps } from "./step-props";

export function WhoStep({ draft, change, errors, people, next, back }: StepProps) {
  return (
    <StepPanel step={3} names={STEPS} lead={`グループ・会員・メールアドレスを、組み合わせて選べます（${MOST_PEOPLE}人まで）。`} back={back} next={next} foot={<Count people={people} />}>
      <PeopleChoice chosen={draft} change={change} errors={errors} />
      <div style={{ marginTop: "1.5rem" }}>
        <Suggestions title={draft.title} description={draft.description} chosen={draft} change={change} />
      </div>
      {people.isError && people.refused === null && <Failure error={people.error} retry={() => void people.refetch()} />}
    </StepPanel>
  );
}

/** Always in sight: how many, and by which way they are told. */
function Count({ people }: { people: StepProps["people"] }) {
  const { data, people: asked } = people;
  const total = asked?.length ?? 0;
  return (
    <p className={classes.count} role="status">
      <span>
        声をかける方 <strong>{asked !== undefined ? peopleCount(total) : people.isError ? "（確かめられません）" : "…"}</strong>
      </span>
      {data && total > 0 && (
        <small>
          <span>LINE {data.line}・</span>
          <span>
            メール {data.mail}
            {data.call > 0 && "・"}
          </span>
          {data.call > 0 && <span>電話 {data.call}</span>}
        </small>
      )}
    </p>
  );
}
