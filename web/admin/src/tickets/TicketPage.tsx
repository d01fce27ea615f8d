import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ApiError } from "../../../api/errors";
import { Badge } from "../booking/Badge";
import booking from "../booking/Booking.module.css";
import { CallList } from "../calls/CallList";
import { severityOf } from "../escalation/words";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Moment } from "../frame/Moment";
import { PageHeading } from "../frame/PageHeading";
import timeline from "../timeline/Timeline.module.css";
import { TicketFacts } from "./TicketFacts";
import { type TicketDetail, ticketQuery } from "./queries";
import classes from "./Tickets.module.css";
import { STATUSES, stepsOf } from "./words";

const route = getRouteApi("/inside/tickets/$ticketId");

export function TicketPage() {
  const { ticketId } = route.useParams();
  return /^[1-9]\d{0,14}$/.test(ticketId) ? <KnownTicket key={ticketId} id={Number(ticketId)} /> : <MissingTicket />;
}

function KnownTicket({ id }: { id: number }) {
  const { data: ticket, error, refetch } = useQuery(ticketQuery(id));
  if (error instanceof ApiError && error.status === 404) return <MissingTicket />;
  if (ticket === undefined) return error ? <Failure error={error} retry={() => void refetch()} /> : <ListSkeleton />;
  const severity = severityOf(ticket.severity);
  return (
    <>
      <Back />
      <PageHeading
        title={ticket.title}
        aside={
          <span className={classes.badges}>
            <Badge tone={STATUSES[ticket.status].tone}>{STATUSES[ticket.status].name}</Badge>
            <Badge tone={severity.tone}>{severity.name}</Badge>
          </span>
        }
      />
      <TicketFacts ticket={ticket} />
      <History ticket={ticket} />
      <Calls ticket={ticket} />
    </>
  );
}

function History({ ticket }: { ticket: TicketDetail }) {
  return (
    <section className={booking.card} aria-labelledby="ticket-history">
      <h2 id="ticket-history">これまでのこと</h2>
      <ol className={timeline.items}>
        {stepsOf(ticket).map(({ at, text, tone, detail }) => (
          <li key={`${at} ${text}`}>
            <span className={timeline.mark} data-tone={tone} aria-hidden="true" />
            <div>
              <p className={timeline.text}>{text}</p>
              <div className={timeline.when}>
                <Moment at={at} />
                {detail !== null && <span>{detail}</span>}
              </div>
            </div>
          </li>
        ))}
      </ol>
      {ticket.attempts.length === 0 && <p className={classes.after}>この問題は、ChatWork・メール・SMSのどれにも知らせていません。</p>}
      <p className={classes.after}>
        <Link to="/audit" search={{ subject: `ticket:${ticket.id}` }}>
          メモと操作の履歴を見る
        </Link>
      </p>
    </section>
  );
}

function Calls({ ticket: { calls, request_id } }: { ticket: TicketDetail }) {
  return (
    <section className={booking.card} aria-labelledby="ticket-calls">
      <h2 id="ticket-calls">最後に起きたときの呼び出し</h2>
      {calls.length === 0 ? (
        <p className={booking.emptyLine}>呼び出しの記録はありません。外部を呼び出さなかったか、60日を過ぎて消えています。</p>
      ) : (
        <CallList calls={calls} search={request_id === null ? {} : { request: request_id }} />
      )}
    </section>
  );
}

function Back() {
  return (
    <Link data-screen-only to="/tickets" search={{}} className={booking.back}>
      ← チケットの一覧
    </Link>
  );
}

function MissingTicket() {
  return (
    <>
      <PageHeading title="チケットが見つかりません">アドレスがまちがっているようです。チケットの一覧から選び直してください。</PageHeading>
      <Back />
    </>
  );
}
