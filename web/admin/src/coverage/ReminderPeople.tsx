import actions from "../event-detail/actions/Actions.module.css";
import { peopleCount } from "../event-detail/event";
import { Notice } from "../frame/Notice";
import type { ReminderPreview } from "./queries";

/** Who gets the reminder, and who does not although they have not booked. */
export function ReminderPeople({ preview: { recipients, recipientsTotal, unreachable, unreachableTotal } }: { preview: ReminderPreview }) {
  const blocked = recipients.filter((person) => person.blocked);
  return (
    <div>
      {recipientsTotal === 0 ? (
        <Notice tone="info">いま送る相手がいません。全員が予約済みか、LINEと連携していないか、今日すでに知らせています。</Notice>
      ) : (
        <p className={`${actions.lead} ${actions.who}`}>{peopleCount(recipientsTotal)}に送ります</p>
      )}
      <Names heading="送る相手の名前" people={recipients} total={recipientsTotal} />
      <Names heading={`うち${peopleCount(blocked.length)}は公式アカウントをブロックしているため、見られません`} people={blocked} total={blocked.length} />
      <Names heading={`送らない方が${peopleCount(unreachableTotal)}います`} people={unreachable.map((person) => ({ ...person, fullName: `${person.fullName}（${person.reasonText}）` }))} total={unreachableTotal} />
    </div>
  );
}

function Names({ heading, people, total }: { heading: string; people: readonly { fullName: string }[]; total: number }) {
  if (people.length === 0) return null;
  return (
    <details>
      <summary>{heading}</summary>
      <p className={actions.names}>
        {people.map(({ fullName }) => fullName).join("、")}
        {total > people.length && ` ほか${peopleCount(total - people.length)}`}
      </p>
    </details>
  );
}
