import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { rangeText } from "../booking/days";
import type { Slot } from "../booking/shapes";
import { SLOT_STATUS_NAMES, SLOT_TONES } from "../booking/words";
import table from "../frame/Table.module.css";
import { type Outcome, Selection } from "./Selection";
import own from "./Slots.module.css";

/** The slots of a day, some of which can be published, closed, changed or deleted together. `report`: what was done, until the next tick. */
export function SlotsTable({ slots, report }: { slots: readonly Slot[]; report: (outcome: Outcome | null) => void }) {
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const all = slots.every(({ id }) => ticked.has(id));
  function tick(ids: readonly number[], on: boolean): void {
    report(null);
    const next = new Set(ticked);
    for (const id of ids) on ? next.add(id) : next.delete(id);
    setTicked(next);
  }
  return (
    <>
      <div className={classes.toolbar}>
        <Button variant="default" size="sm" onClick={() => tick(slots.map(({ id }) => id), !all)}>
          {all ? "選択をやめる" : "すべて選ぶ"}
        </Button>
        <p>
          {slots.length}枠・定員{sum(slots, "capacity")}人・予約{sum(slots, "bookedCount")}人
        </p>
      </div>
      <div className={table.panel}>
        <table className={table.table}>
          <caption className={classes.hidden}>予約枠</caption>
          <thead>
            <tr>
              <th scope="col" className={own.tick}>
                <span className={classes.hidden}>選択</span>
              </th>
              <th scope="col">時間</th>
              <th scope="col">予約の種類</th>
              <th scope="col">予約／定員</th>
              <th scope="col">キャンセル待ち</th>
              <th scope="col">状態</th>
            </tr>
          </thead>
          <tbody>
            {slots.map((slot) => (
              <tr key={slot.id}>
                <td className={own.tick}>
                  <label>
                    <input
                      type="checkbox"
                      aria-label={`${rangeText(slot)} ${slot.reservationTypeName}を選ぶ`}
                      checked={ticked.has(slot.id)}
                      onChange={(event) => tick([slot.id], event.currentTarget.checked)}
                    />
                  </label>
                </td>
                <td data-label="時間" className={classes.number}>
                  <Link to="/booking/slots/$slotId" params={{ slotId: String(slot.id) }} aria-label={`${rangeText(slot)} ${slot.reservationTypeName}`}>
                    {rangeText(slot)}
                  </Link>
                </td>
                <td data-label="予約の種類">
                  {slot.reservationTypeName}
                  {slot.notes && <div className={classes.soft}>{slot.notes}</div>}
                </td>
                <td data-label="予約／定員" className={classes.number}>
                  <strong>{slot.bookedCount}</strong>／{slot.capacity}人
                  {slot.quotas.length > 0 && <div className={classes.soft}>部署ごとの定員あり</div>}
                </td>
                <td data-label="キャンセル待ち" className={classes.number}>
                  {slot.waitingCount > 0 ? `${slot.waitingCount}人` : <span className={classes.soft}>なし</span>}
                </td>
                <td data-label="状態">
                  <Badge tone={SLOT_TONES[slot.status]}>{SLOT_STATUS_NAMES[slot.status]}</Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Selection
        slotIds={slots.filter(({ id }) => ticked.has(id)).map(({ id }) => id)}
        done={(done) => {
          setTicked(new Set());
          report(done);
        }}
      />
    </>
  );
}

function sum(slots: readonly Slot[], field: "capacity" | "bookedCount"): string {
  return slots.reduce((total, slot) => total + slot[field], 0).toLocaleString("ja-JP");
}
