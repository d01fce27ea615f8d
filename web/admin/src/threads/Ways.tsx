import { peopleCount, namesInShort, type ThreadPreview } from "./thread";
import classes from "./Threads.module.css";

type Reached = Pick<ThreadPreview, "people" | "line" | "mail" | "call">;

/** How many people are told by which way, and who has to be called. */
export function Ways({ reached }: { reached: Reached }) {
  const callees = reached.people.filter(({ channel }) => channel === "call");
  return (
    <div>
      <dl className={classes.ways}>
        <div>
          <dt>LINE</dt>
          <dd>{peopleCount(reached.line)}</dd>
        </div>
        <div>
          <dt>メール</dt>
          <dd>{peopleCount(reached.mail)}</dd>
        </div>
        <div data-call={reached.call > 0 || undefined}>
          <dt>電話してください</dt>
          <dd>{peopleCount(reached.call)}</dd>
        </div>
      </dl>
      {callees.length > 0 && <p className={classes.callees}>LINEでもメールでも届かない方：{namesInShort(callees, 10)}</p>}
      {reached.people.length > 0 && (
        <details className={classes.details}>
          <summary>{peopleCount(reached.people.length)}の名前と届き方を見る</summary>
          <ul className={classes.names}>
            {reached.people.map((person) => (
              <li key={person.invitee_key}>
                {person.name}
                <small>
                  {WAY_NAMES[person.channel]}
                  {person.why && `（${person.why}）`}
                </small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

export const WAY_NAMES: Record<ThreadPreview["people"][number]["channel"], string> = { line: "LINE", mail: "メール", call: "電話" };
