import { Link } from "@tanstack/react-router";
import { Badge } from "../booking/Badge";
import booking from "../booking/Booking.module.css";
import { severityOf } from "../escalation/words";
import { Moment } from "../frame/Moment";
import table from "../frame/Table.module.css";
import { HAS_SHOPS } from "../shops/queries";
import type { Ticket } from "./queries";
import classes from "./Tickets.module.css";
import { hasRecovered, whoText } from "./words";

export function TicketsTable({ tickets }: { tickets: readonly Ticket[] }) {
  const inHand = tickets.some(({ status }) => status !== "open");
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <caption className={booking.hidden}>チケット</caption>
        <thead>
          <tr>
            <th scope="col">問題</th>
            <th scope="col">重要度</th>
            {HAS_SHOPS && <th scope="col">店舗</th>}
            <th scope="col">回数</th>
            <th scope="col">最後に起きたとき</th>
            {inHand && <th scope="col">対応した人</th>}
          </tr>
        </thead>
        <tbody>
          {tickets.map((ticket) => (
            <TicketRow key={ticket.id} ticket={ticket} inHand={inHand} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TicketRow({ ticket, inHand }: { ticket: Ticket; inHand: boolean }) {
  const { id, title, severity, shop_name, occurrences, last_seen_at } = ticket;
  const { name, tone } = severityOf(severity);
  return (
    <tr>
      <td className={booking.name}>
        <Link to="/tickets/$ticketId" params={{ ticketId: String(id) }}>
          {title}
        </Link>
        <small>チケット {id}</small>
        {hasRecovered(ticket) && <small>復旧しています</small>}
      </td>
      <td data-label="重要度">
        <Badge tone={tone}>{name}</Badge>
      </td>
      {HAS_SHOPS && (
        <td data-label="店舗" className={classes.shop}>
          {shop_name ?? "全体"}
        </td>
      )}
      <td data-label="回数" className={booking.number}>
        {occurrences.toLocaleString("ja-JP")}回
      </td>
      <td data-label="最後に起きたとき" className={booking.number}>
        <Moment at={last_seen_at} />
      </td>
      {inHand && <td data-label="対応した人">{whoText(ticket.closed_by ?? ticket.acknowledged_by) ?? "―"}</td>}
    </tr>
  );
}
