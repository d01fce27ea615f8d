import { Drawer } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { dayText, rangeText } from "../booking/days";
import type { Reservation } from "../booking/shapes";
import { Timeline } from "./Timeline";
import classes from "./Timeline.module.css";

/** The way of one reservation from its booking to its day, beside the list in which it stands. */
export function TimelineDrawer({ reservation, close }: { reservation: Reservation | null; close: () => void }) {
  // While the drawer slides out it still shows what it was about.
  const last = useRef(reservation);
  if (reservation) last.current = reservation;
  const shown = reservation ?? last.current;
  return (
    <Drawer opened={reservation !== null} onClose={close} position="right" size="28rem" title={<strong>予約のあゆみ</strong>} closeButtonProps={{ "aria-label": "閉じる" }}>
      {shown && (
        <>
          <p className={classes.who}>
            <strong>{shown.fullName}</strong>さん
            <br />
            {dayText(shown.serviceDateLocal)} {rangeText(shown)}「{shown.reservationTypeName}」
          </p>
          <Timeline reservationId={shown.id} />
          <p className={classes.onward}>
            <Link to="/notifications" search={{ q: String(shown.id) }}>
              この予約の通知を見る
            </Link>
          </p>
        </>
      )}
    </Drawer>
  );
}
