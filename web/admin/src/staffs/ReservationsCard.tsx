import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { dayText, rangeText } from "../booking/days";
import type { Reservation } from "../booking/shapes";
import { Failure } from "../frame/Failure";
import { FreeYearDialog, freeYearWords } from "../reception/FreeYearDialog";
import { TimelineDrawer } from "../timeline/TimelineDrawer";
import { reservationsOfQuery } from "./queries";
import own from "./Staffs.module.css";

export function ReservationsCard({ staffUid }: { staffUid: string }) {
  const { data, error, refetch } = useQuery(reservationsOfQuery(staffUid));
  const [freeing, setFreeing] = useState<Reservation | null>(null);
  const [looking, setLooking] = useState<Reservation | null>(null);
  return (
    <section className={classes.card} aria-labelledby="staff-reservations">
      <h2 id="staff-reservations">予約</h2>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data?.items.length === 0 && <p className={classes.emptyLine}>予約はありません。日ごとの画面から、代わりに予約できます。</p>}
      {data && data.items.length > 0 && (
        <ul className={own.plainList}>
          {data.items.map((reservation) => (
            <li key={reservation.id}>
              <Link to="/booking/slots/$slotId" params={{ slotId: String(reservation.slotId) }}>
                {dayText(reservation.serviceDateLocal)} {rangeText(reservation)}
              </Link>
              <span>{reservation.reservationTypeName}</span>
              <ReservationState reservation={reservation} />
              {reservation.attendance === "absent" && reservation.canceledAt === null && (
                <Button variant="default" size="compact-sm" onClick={() => setFreeing(reservation)}>
                  {freeYearWords(reservation)}
                </Button>
              )}
              <Button variant="subtle" size="compact-sm" aria-label={`${dayText(reservation.serviceDateLocal)}の予約のあゆみ`} onClick={() => setLooking(reservation)}>
                あゆみ
              </Button>
            </li>
          ))}
        </ul>
      )}
      <FreeYearDialog reservation={freeing} close={() => setFreeing(null)} />
      <TimelineDrawer subject={looking && { ...looking, reservationId: looking.id }} close={() => setLooking(null)} />
    </section>
  );
}

function ReservationState({ reservation }: { reservation: Reservation }) {
  if (reservation.canceledAt !== null) return <Badge>取り消し</Badge>;
  if (reservation.attendance === "came") return <Badge tone="good">来た</Badge>;
  if (reservation.attendance === "absent") return <Badge tone="bad">{reservation.freesYear ? "来なかった（もう一度予約できます）" : "来なかった"}</Badge>;
  return <Badge tone="good">予約中</Badge>;
}
