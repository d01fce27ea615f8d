import { Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useState } from "react";
import classes from "../booking/Booking.module.css";
import { beginsAt, timeText, today } from "../booking/days";
import type { Attendance, Reservation } from "../booking/shapes";
import table from "../frame/Table.module.css";
import { TimelineDrawer } from "../timeline/TimelineDrawer";
import { CancelDialog } from "./CancelDialog";
import { FreeYearDialog, freeYearWords } from "./FreeYearDialog";
import { MoveDialog } from "./MoveDialog";
import own from "./Reception.module.css";
import type { useAttendance } from "./useAttendance";

interface PeopleTableProps {
  people: readonly Reservation[];
  /** Which slot the table is about, for screen readers. */
  label: string;
  attendance: ReturnType<typeof useAttendance>;
}

export function PeopleTable({ people, label, attendance }: PeopleTableProps) {
  const [moving, setMoving] = useState<Reservation | null>(null);
  const [cancelling, setCancelling] = useState<Reservation | null>(null);
  const [freeing, setFreeing] = useState<Reservation | null>(null);
  const [looking, setLooking] = useState<Reservation | null>(null);
  const now = useNow();
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <caption className={classes.hidden}>{label}の予約</caption>
        <thead>
          <tr>
            <th scope="col">受付</th>
            <th scope="col">氏名</th>
            <th scope="col">職員番号</th>
            <th scope="col">部署</th>
            <th scope="col">
              <span className={classes.hidden}>操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map((reservation) => (
            <PersonRow
              key={reservation.id}
              reservation={reservation}
              // The day has come; the slot has begun.
              mayCome={reservation.serviceDateLocal <= today(new Date(now))}
              mayBeAbsent={beginsAt(reservation) <= now}
              note={attendance.note}
              look={setLooking}
              move={setMoving}
              free={setFreeing}
              cancel={setCancelling}
            />
          ))}
        </tbody>
      </table>
      <TimelineDrawer subject={looking && { ...looking, reservationId: looking.id }} close={() => setLooking(null)} />
      <MoveDialog reservation={moving} close={() => setMoving(null)} />
      <FreeYearDialog reservation={freeing} close={() => setFreeing(null)} />
      <CancelDialog reservation={cancelling} close={() => setCancelling(null)} />
    </div>
  );
}

const MINUTE_MS = 60_000;

/** The time of now, a new one with every minute, because buttons open when a slot begins. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS / 4);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface PersonRowProps {
  reservation: Reservation;
  mayCome: boolean;
  mayBeAbsent: boolean;
  note: (reservation: Reservation, attendance: Attendance) => void;
  look: (reservation: Reservation) => void;
  move: (reservation: Reservation) => void;
  free: (reservation: Reservation) => void;
  cancel: (reservation: Reservation) => void;
}

const PersonRow = memo(function PersonRow({ reservation, mayCome, mayBeAbsent, note, look, move, free, cancel }: PersonRowProps) {
  const { fullName, attendance } = reservation;
  const mark = (value: "came" | "absent", words: string, allowed: boolean, why: string) => (
    <button
      type="button"
      data-mark={value}
      aria-pressed={attendance === value}
      aria-label={`${fullName}さん：${words}`}
      disabled={!allowed && attendance !== value}
      title={allowed ? undefined : why}
      // A second tap takes it back.
      onClick={() => note(reservation, attendance === value ? null : value)}
    >
      {words}
    </button>
  );
  return (
    <tr className={own.person}>
      <td>
        <span className={own.marks}>
          {mark("came", "来た", mayCome, "予約の日になってから記録できます。")}
          {mark("absent", "来なかった", mayBeAbsent, "予約の時刻になってから記録できます。")}
        </span>
        {attendance === "absent" && reservation.freesYear && <small className={own.freed}>もう一度予約できます</small>}
        {attendance === null && mayCome && !mayBeAbsent && <small className={own.freed}>「来なかった」は{timeText(reservation.startMinuteOfDay)}から</small>}
      </td>
      <td className={classes.name}>
        <Link to="/staffs/$staffUid" params={{ staffUid: reservation.staffUid }}>
          {fullName}
        </Link>
        {reservation.fullNameKana && <small>{reservation.fullNameKana}</small>}
      </td>
      <td data-label="職員番号" className={classes.number}>
        {reservation.staffId}
      </td>
      <td data-label="部署">{reservation.departmentName}</td>
      <td className={classes.action}>
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <Button variant="subtle" size="sm" aria-label={`${fullName}さんの予約の変更`}>
              変更
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => look(reservation)}>予約のあゆみを見る</Menu.Item>
            {attendance === "absent" && <Menu.Item onClick={() => free(reservation)}>{freeYearWords(reservation)}</Menu.Item>}
            <Menu.Item onClick={() => move(reservation)}>別の枠に移す</Menu.Item>
            <Menu.Item color="var(--red)" onClick={() => cancel(reservation)}>
              予約を取り消す
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  );
});
