import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { actorName } from "../audit/names";
import classes from "../booking/Booking.module.css";
import { periodText } from "../booking/days";
import { peopleCount } from "../event-detail/event";
import { Failure } from "../frame/Failure";
import { Moment } from "../frame/Moment";
import { More } from "../frame/More";
import own from "./Coverage.module.css";
import { type Reminder, reminderQuery, remindersQuery } from "./queries";
import { resultText } from "./reminders";

/** The reminders of a type that were sent, the newest first, each with those who did not get it. */
export function ReminderHistory({ type }: { type: number }) {
  const query = useInfiniteQuery(remindersQuery(type));
  const reminders = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (query.isSuccess && reminders.length === 0) return null;
  return (
    <section className={classes.card} aria-labelledby="coverage-reminders">
      <h2 id="coverage-reminders">これまでのお知らせ</h2>
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      <ul className={own.reminders}>
        {reminders.map((reminder) => (
          <ReminderLine key={reminder.id} reminder={reminder} />
        ))}
      </ul>
      <More query={query} />
    </section>
  );
}

function ReminderLine({ reminder }: { reminder: Reminder }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div className={own.reminderHead}>
        <strong>
          <Moment at={reminder.createdAt} />
        </strong>
        <span>
          {periodText(reminder.periodKey)}・{reminder.departmentName ?? "すべての部署"}・{actorName(reminder.createdBy)}
        </span>
        <span className={own.result} data-trouble={reminder.failed + reminder.unknown > 0 || undefined}>
          {resultText(reminder)}
        </span>
      </div>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>メッセージと、届いていない方</summary>
        {open && <ReminderDetails reminder={reminder} />}
      </details>
    </li>
  );
}

function ReminderDetails({ reminder }: { reminder: Reminder }) {
  const { data, error, refetch } = useQuery(reminderQuery(reminder.id));
  return (
    <>
      <p className={own.message}>{reminder.text}</p>
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {data?.problems.length === 0 && <p>送った{peopleCount(reminder.recipients)}の全員に送りました（LINEまたはメールが受け付けました）。</p>}
      {data && data.problems.length > 0 && (
        <ul className={own.problems}>
          {data.problems.map((person) => (
            <li key={person.staffUid}>
              {person.fullName}（{person.departmentName}）：{person.reasonText}
            </li>
          ))}
        </ul>
      )}
      {reminder.unreachable > 0 && <p>このほかに、LINEでもメールでも送れなかった方が{peopleCount(reminder.unreachable)}いました。</p>}
    </>
  );
}
