import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Badge } from "../booking/Badge";
import booking from "../booking/Booking.module.css";
import { shortDayText, timeText } from "../booking/days";
import { Moment } from "../frame/Moment";
import table from "../frame/Table.module.css";
import classes from "./Payments.module.css";
import type { Payment } from "./queries";
import { REFUNDS, requesterName, RESERVATIONS, STATUSES, yen } from "./words";

interface PaymentsTableProps {
  payments: readonly Payment[];
  look: (payment: Payment) => void;
  refund: (payment: Payment) => void;
}

export function PaymentsTable({ payments, look, refund }: PaymentsTableProps) {
  return (
    <div className={table.panel}>
      <table className={`${table.table} ${classes.table}`}>
        <caption className={booking.hidden}>決済</caption>
        <thead>
          <tr>
            <th scope="col">予約</th>
            <th scope="col">金額</th>
            <th scope="col">支払い</th>
            <th scope="col">返金</th>
            <th scope="col">
              <span className={booking.hidden}>操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.id}>
              <td className={booking.name}>
                <Link to="/staffs/$staffUid" params={{ staffUid: payment.staffUid }}>
                  {payment.fullName}
                </Link>
                <small>{payment.reservationTypeName}</small>
                <small className="figures">
                  {shortDayText(payment.serviceDateLocal)} {timeText(payment.startMinuteOfDay)}
                </small>
                <small>{RESERVATIONS[payment.reservationState]}</small>
              </td>
              <td data-label="金額" className={booking.number}>
                {yen(payment.amountJpy)}
              </td>
              <td data-label="支払い">
                <PaymentState payment={payment} />
              </td>
              <td data-label="返金">{payment.refund ? <RefundState refund={payment.refund} /> : <span className={booking.soft}>なし</span>}</td>
              <td className={booking.action}>
                {payment.refundable && (
                  <Button variant="subtle" size="sm" color="var(--red)" aria-label={`${payment.fullName}さんに返金する`} onClick={() => refund(payment)}>
                    返金する
                  </Button>
                )}
                <Button variant="subtle" size="sm" aria-label={`${payment.fullName}さんの予約のあゆみ`} onClick={() => look(payment)}>
                  あゆみ
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PaymentState({ payment: { status, paidAt, expiresAt, lastError } }: { payment: Payment }) {
  const { name, tone } = STATUSES[status];
  const open = status === "OPEN" || status === "WAITING" || status === "CREATING";
  return (
    <div className={classes.state}>
      <Badge tone={tone}>{name}</Badge>
      {paidAt !== null && (
        <small>
          <Moment at={paidAt} />
        </small>
      )}
      {open && (
        <small>
          期限 <Moment at={expiresAt} />
        </small>
      )}
      {lastError !== null && status !== "PAID" && <Fold text={lastError} />}
    </div>
  );
}

function RefundState({ refund: { status, amountJpy, reason, requestedBy, lastError, updatedAt } }: { refund: NonNullable<Payment["refund"]> }) {
  const { name, tone } = REFUNDS[status];
  return (
    <div className={classes.state}>
      <Badge tone={tone}>{name}</Badge>
      <small>
        {yen(amountJpy)}・<Moment at={updatedAt} />
      </small>
      <small>
        {reason}（{requesterName(requestedBy)}）
      </small>
      {lastError !== null && status !== "DONE" && <Fold text={lastError} />}
    </div>
  );
}

function Fold({ text }: { text: string }) {
  return (
    <details className={classes.fold}>
      <summary>くわしい内容</summary>
      <p>{text}</p>
    </details>
  );
}
