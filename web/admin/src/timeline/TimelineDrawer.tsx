import { Drawer } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { dayText, timeText } from "../booking/days";
import { Timeline } from "./Timeline";
import classes from "./Timeline.module.css";

/** A reservation as a list knows it: of a day, of a person, of a payment. */
export interface TimelineSubject {
  reservationId: number;
  fullName: string;
  reservationTypeName: string;
  serviceDateLocal: string;
  startMinuteOfDay: number;
}

/** The way of one reservation from its booking to its day, beside the list in which it stands. */
export function TimelineDrawer({ subject, close }: { subject: TimelineSubject | null; close: () => void }) {
  // While the drawer slides out it still shows what it was about.
  const last = useRef(subject);
  if (subject) last.current = subject;
  const shown = subject ?? last.current;
  return (
    <Drawer opened={subject !== null} onClose={close} position="right" size="28rem" title={<strong>予約のあゆみ</strong>} closeButtonProps={{ "aria-label": "閉じる" }}>
      {shown && (
        <>
          <p className={classes.who}>
            <strong>{shown.fullName}</strong>さん（予約番号 {shown.reservationId}）
            <br />
            {dayText(shown.serviceDateLocal)} {timeText(shown.startMinuteOfDay)}「{shown.reservationTypeName}」
          </p>
          <Timeline reservationId={shown.reservationId} />
          <p className={classes.onward}>
            <Link to="/notifications" search={{ q: String(shown.reservationId) }}>
              この予約の通知を見る
            </Link>
          </p>
        </>
      )}
    </Drawer>
  );
}
