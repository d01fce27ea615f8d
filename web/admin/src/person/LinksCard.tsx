import booking from "../booking/Booking.module.css";
import { Moment } from "../frame/Moment";
import classes from "./Person.module.css";
import type { PersonLink, PersonPageData, RecordKey } from "./queries";
import { TakeBack } from "./TakeBack";
import { byWhom, KIND_NAMES, nameOf, originName, reasonOf } from "./words";

/** How the records of this person belong together, and how that came about. */
export function LinksCard({ person, done }: { person: PersonPageData; done: (text: string) => void }) {
  const { links, records } = person;
  const called = ({ kind, id }: RecordKey) => {
    const record = records.find((one) => one.kind === kind && one.id === id);
    return `${KIND_NAMES[kind]}「${record ? nameOf(record) : id}」`;
  };
  return (
    <section className={booking.card} aria-labelledby="person-links">
      <h2 id="person-links">つながりのいきさつ</h2>
      {links.length === 0 && <p className={booking.emptyLine}>ほかの記録とはつながっていません。</p>}
      <ul className={classes.list}>
        {links.map((link) => (
          <li key={`${link.first.kind}:${link.first.id} ${link.second.kind}:${link.second.id} ${link.origin}`}>
            <div>
              {called(link.first)}と{called(link.second)}
            </div>
            <strong>{originName(link)}</strong>
            <Story link={link} />
            {link.origin === "decision" && <TakeBack first={link.first} second={link.second} done={done} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Story({ link }: { link: PersonLink }) {
  const reason = reasonOf(link);
  return (
    <div className={booking.soft}>
      {link.at && <Moment at={link.at} />} {link.by && byWhom(link.by)}
      {reason && <div>理由: {reason}</div>}
    </div>
  );
}
