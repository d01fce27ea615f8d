import { Link } from "@tanstack/react-router";
import actions from "../event-detail/actions/Actions.module.css";
import { peopleCount } from "../event-detail/event";
import { Notice } from "../frame/Notice";
import type { ReminderAudience, ReminderPreview } from "./queries";
import { waysText } from "./reminders";

interface ReminderPeopleProps {
  preview: ReminderPreview;
  audience: ReminderAudience;
  close: () => void;
}

/** Who gets the reminder by which way, and who does not although they have not booked. */
export function ReminderPeople({ preview, audience, close }: ReminderPeopleProps) {
  const { recipients, recipientsTotal, unreachable, unreachableTotal, byChannel } = preview;
  const { reservationTypeId: type, periodKey, departmentId: department } = audience;
  return (
    <div>
      {recipientsTotal === 0 ? (
        <Notice tone="info">{whyNobody(preview)}</Notice>
      ) : (
        <p className={`${actions.lead} ${actions.who}`}>{waysText(byChannel)}</p>
      )}
      <Names heading="送る相手の名前" people={recipients.map((person) => (person.channel === "mail" ? { fullName: `${person.fullName}（メール）` } : person))} total={recipientsTotal} />
      <Names
        heading={`送らない方が${peopleCount(unreachableTotal)}います`}
        people={unreachable.map((person) => ({ fullName: `${person.fullName}（${person.reasonText}）` }))}
        total={unreachableTotal}
      />
      {unreachableTotal > 0 && (
        <p>
          {byChannel.phone > 0 && `${peopleCount(byChannel.phone)}には、LINEでもメールでも送れません。電話などで知らせてください。`}
          <Link to="/booking/coverage" search={{ type, year: Number(periodKey.slice(2)), state: "notBooked", ...(department === null ? {} : { department }) }} hash="coverage-people" onClick={close}>
            まだの方の一覧を見る
          </Link>
        </p>
      )}
    </div>
  );
}

function whyNobody({ quota, unreachable }: ReminderPreview): string {
  if (quota.enough === false && unreachable.some(({ reason }) => reason === "QUOTA")) return "LINEの今月の送信上限に達しているため、いまは送れません。上限が戻ってから送るか、電話などで知らせてください。";
  return "いま送る相手がいません。全員が予約済みか、LINEでもメールでも送れないか、今日すでに知らせています。";
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
