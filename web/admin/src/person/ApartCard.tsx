import booking from "../booking/Booking.module.css";
import { Moment } from "../frame/Moment";
import classes from "./Person.module.css";
import type { DecidedApart } from "./queries";
import { TakeBack } from "./TakeBack";
import { byWhom, KIND_NAMES, nameOf } from "./words";

export function ApartCard({ apart, done }: { apart: DecidedApart[]; done: (text: string) => void }) {
  return (
    <section className={booking.card} aria-labelledby="person-apart">
      <h2 id="person-apart">別の人と記録した相手</h2>
      <ul className={classes.list}>
        {apart.map(({ record, beside, by, at, reason }) => (
          <li key={`${record.kind}:${record.id}`}>
            <span className={classes.kind}>{KIND_NAMES[record.kind]}</span>
            <strong>{nameOf(record)}</strong>
            <div className={booking.soft}>
              <Moment at={at} /> {byWhom(by)}
              {reason && <div>理由: {reason}</div>}
            </div>
            <TakeBack first={beside} second={record} done={done} />
          </li>
        ))}
      </ul>
    </section>
  );
}
