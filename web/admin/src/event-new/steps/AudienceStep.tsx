import { useQuery } from "@tanstack/react-query";
import { Failure } from "../../frame/Failure";
import { ListSkeleton } from "../../frame/ListSkeleton";
import { FieldError } from "../Field";
import { type Audience, audiencesQuery, membersQuery } from "../queries";
import { errorText } from "../rules/error-texts";
import { StepPanel } from "../StepPanel";
import classes from "./Audience.module.css";
import type { StepProps } from "./step-props";

export function AudienceStep({ editor, change, errors, next, back }: StepProps) {
  const audiences = useQuery(audiencesQuery);
  const members = useQuery(membersQuery);
  const { everybody, audienceIds } = editor.draft;
  const total = members.data?.items.filter((member) => !member.withdrawn).length;
  const toggle = ({ id }: Audience, ticked: boolean) =>
    change({ audienceIds: ticked ? [...audienceIds, id] : audienceIds.filter((other) => other !== id) });
  return (
    <StepPanel step={3} lead="案内を送る相手を選びます。いくつでも選べます。一人ずつ外すのは、次の画面でできます。" back={back} next={next}>
      {audiences.isPending && <ListSkeleton />}
      {audiences.isError && <Failure error={audiences.error} retry={() => void audiences.refetch()} />}
      {audiences.data && (
        <fieldset className={classes.choices}>
          <legend className={classes.legend}>配信先</legend>
          <Choice
            label="全員"
            count={total}
            checked={everybody}
            invalid={errors.audiences !== undefined}
            onChange={(ticked) => change({ everybody: ticked })}
          />
          {audiences.data.items.map((audience) => (
            <Choice
              key={audience.id}
              label={audience.name}
              count={audience.member_count}
              checked={everybody || audienceIds.includes(audience.id)}
              included={everybody}
              onChange={(ticked) => toggle(audience, ticked)}
            />
          ))}
        </fieldset>
      )}
      {audiences.data?.items.length === 0 && (
        <p className={classes.none}>理事会や委員会などのグループは、まだありません。「全員」を選び、次の画面で送らない方を外してください。</p>
      )}
      <p className={classes.error} id="audiences-error">
        <FieldError>{errorText("audiences", errors.audiences)}</FieldError>
      </p>
    </StepPanel>
  );
}

interface ChoiceProps {
  label: string;
  count: number | undefined;
  checked: boolean;
  invalid?: boolean;
  /** Everybody is chosen, and these are among them. */
  included?: boolean;
  onChange: (checked: boolean) => void;
}

function Choice({ label, count, checked, invalid = false, included = false, onChange }: ChoiceProps) {
  const size = count === undefined ? " " : `${count.toLocaleString("ja-JP")}人`;
  return (
    <label className={classes.choice} data-chosen={checked || undefined} data-included={included || undefined}>
      <input
        type="checkbox"
        checked={checked}
        disabled={included}
        data-invalid={invalid || undefined}
        aria-describedby={invalid ? "audiences-error" : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        <small>{included ? `${size}・「全員」に含まれます` : size}</small>
      </span>
    </label>
  );
}
