import { Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo, useState } from "react";
import classes from "../booking/Booking.module.css";
import type { Attendance, Reservation } from "../booking/shapes";
import table from "../frame/Table.module.css";
import { TimelineDrawer } from "../timeline/TimelineDrawer";
import { CancelDialog } from "./CancelDialog";
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
  const [looking, setLooking] = useState<Reservation | null>(null);
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
            <PersonRow key={reservation.id} reservation={reservation} note={attendance.note} look={setLooking} move={setMoving} cancel={setCancelling} />
          ))}
        </tbody>
      </table>
      <TimelineDrawer subject={looking && { ...looking, reservationId: looking.id }} close={() => setLooking(null)} />
      <MoveDialog reservation={moving} close={() => setMoving(null)} />
      <CancelDialog reservation={cancelling} close={() => setCancelling(null)} />
    </div>
  );
}

interface PersonRowProps {
  reservation: Reservation;
  note: (reservation: Reservation, attendance: Attendance) => void;
  look: (reservation: Reservation) => void;
  move: (reservation: Reservation) => void;
  cancel: (reservation: Reservation) => void;
}

const PersonRow = memo(function PersonRow({ reservation, note, look, move, cancel }: PersonRowProps) {
  const { fullName, attendance } = reservation;
  const mark = (value: "came" | "absent", words: string) => (
    <button
      type="button"
      data-mark={value}
      aria-pressed={attendance === value}
      aria-label={`${fullName}さん：${words}`}
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
          {mark("came", "来た")}
          {mark("absent", "来なかった")}
        </span>
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
