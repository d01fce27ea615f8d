import { peopleCount, type Preview } from "../event";
import classes from "./Actions.module.css";

/** The number and names of the recipients, and which of them will not see the message. */
export function Recipients({ preview }: { preview: Preview }) {
  const blocked = preview.recipients.filter((person) => person.blocked);
  return (
    <div>
      <p className={`${classes.lead} ${classes.who}`}>{peopleCount(preview.recipients_total)}に送ります</p>
      {preview.recipients_total > 0 && (
        <details>
          <summary>送る相手の名前</summary>
          <p className={classes.names}>{preview.recipients.map((person) => person.name).join("、")}</p>
        </details>
      )}
      {blocked.length > 0 && (
        <details>
          <summary>うち{peopleCount(blocked.length)}は公式アカウントを友だちに追加していないかブロックしているため、届きません</summary>
          <p className={classes.names}>{blocked.map((person) => person.name).join("、")}</p>
        </details>
      )}
      <SkippedPeople people={preview.unreachable} />
    </div>
  );
}

/** The people who will not get the message, with the reasons. */
export function SkippedPeople({ people }: { people: Preview["unreachable"] }) {
  if (people.length === 0) return null;
  // People who were reminded today can be reached but are left out, so the heading must not say that they cannot.
  const word = people.some(({ reason }) => reason === "REMINDED_TODAY") ? "送らない" : "送れない";
  return (
    <details>
      <summary>
        {word}方が{peopleCount(people.length)}います
      </summary>
      <p className={classes.names}>{people.map((person) => `${person.name}（${person.reason_text}）`).join("、")}</p>
    </details>
  );
}
