import { inPeople, type Preview } from "../event";
import classes from "./Actions.module.css";

/** How many get the message, who, and who of them does not see it. */
export function Recipients({ preview }: { preview: Preview }) {
  const blocked = preview.recipients.filter((person) => person.blocked);
  return (
    <div>
      <p className={`${classes.lead} ${classes.who}`}>{inPeople(preview.recipients_total)}に送ります</p>
      {preview.recipients_total > 0 && (
        <details>
          <summary>送る相手の名前</summary>
          <p className={classes.names}>{preview.recipients.map((person) => person.name).join("、")}</p>
        </details>
      )}
      {blocked.length > 0 && (
        <details>
          <summary>うち{inPeople(blocked.length)}は公式アカウントをブロックしているため、届きません</summary>
          <p className={classes.names}>{blocked.map((person) => person.name).join("、")}</p>
        </details>
      )}
      {preview.unreachable.length > 0 && (
        <details>
          <summary>送れない方が{inPeople(preview.unreachable.length)}います</summary>
          <p className={classes.names}>{preview.unreachable.map((person) => `${person.name}（${person.reason_text}）`).join("、")}</p>
        </details>
      )}
    </div>
  );
}
