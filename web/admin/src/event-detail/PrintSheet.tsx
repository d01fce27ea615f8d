import { formatDateTime } from "../../../api/times";
import { countsOf, type EventDetail, peopleCount, memoLabel, type Person, STATUS_NAMES } from "./event";
import paper from "../paper/Paper.module.css";
import { Sheet } from "../paper/PaperPage";
import { periodOf } from "./times";

/** The sheet for the reception desk: names in roster order and a box to tick. */
export function PrintSheet({ event, people }: { event: EventDetail; people: Person[] }) {
  const counts = countsOf(event.current_status);
  return (
    <Sheet>
      <h2>{event.title}</h2>
      <p>
        <strong>{periodOf(event)}</strong>
        {event.place !== null && <span>{event.place}</span>}
        {event.cancelled_at !== null && <strong>【中止】</strong>}
        <span>
          出席{peopleCount(counts.attend)}・欠席{peopleCount(counts.absent)}・未回答{peopleCount(counts.pending)}
        </span>
        <span>{formatDateTime(new Date())} 現在</span>
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col" className={paper.tick}>
              受付
            </th>
            <th scope="col" className={paper.name}>
              名前
            </th>
            <th scope="col" className={paper.short}>
              回答
            </th>
            <th scope="col">{memoLabel(event)}</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.member_id}>
              <td className={paper.tick}>
                <span />
              </td>
              <td>{person.name}</td>
              <td className={paper.short}>{STATUS_NAMES[person.status]}</td>
              <td>{person.extra_text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  );
}
