import { peopleCount, type Preview } from "../event";
import classes from "./Actions.module.css";

/** The number of people who will be reached, and in one line each the names of these and of the others. */
export function Recipients({ preview }: { preview: Preview }) {
  const others = new Set(preview.not_reached.map((person) => person.member_id));
  const reached = preview.recipients.filter((person) => !others.has(person.member_id));
  return (
    <div>
      <p className={`${classes.lead} ${classes.who}`}>{reached.length > 0 ? `LINEで${peopleCount(reached.length)}に送ります` : "いまLINEで届く方はいません"}</p>
      {reached.length > 0 && (
        <details>
          <summary>送る相手の名前</summary>
          <p className={classes.names}>{reached.map((person) => person.name).join("、")}</p>
        </details>
      )}
      <SkippedPeople people={preview.not_reached} />
    </div>
  );
}

/** The people who will not get the message, with the reasons. */
export function SkippedPeople({ people }: { people: Preview["not_reached"] }) {
  if (people.length === 0) return null;
  // People who were reminded today can be reached but are left out, so the heading must not say that they cannot.
  const word = people.some(({ reason }) => reason === "REMINDED_TODAY") ? "送らない方・届かない方" : "届かない方";
  return (
    <details>
      <summary>
        {word} {peopleCount(people.length)}
      </summary>
      <p className={classes.names}>{people.map((person) => `${person.name}（${person.reason_text}）`).join("、")}</p>
    </details>
  );
}
