import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { addDays, today, weekdayOf } from "../../booking/days";
import { type ChosenSlot, chosenText } from "../../threads/slot-times";
import { MOST_SLOTS } from "../../threads/thread";
import { SlotFields } from "./SlotFields";
import { addSlots, inOrder, sameSlot, weekLater } from "./slots";
import classes from "./When.module.css";

interface SlotPickerProps {
  slots: readonly ChosenSlot[];
  choose: (slots: ChosenSlot[]) => void;
  /** Dates that are there already and stay. */
  fixed?: readonly ChosenSlot[];
  invalid?: boolean;
}

// The fields above do the same, so that nobody waits for the calendar.
const Week = lazy(async () => ({ default: (await import("./Week")).Week }));
const USUAL_MINUTES = 60;

/** Dates to choose: painted on a week, or entered in fields. What is chosen stands in a list below. */
export function SlotPicker({ slots, choose, fixed = [], invalid = false }: SlotPickerProps) {
  const [monday, setMonday] = useState(() => mondayOf(slots[0]?.date ?? fixed.find(({ date }) => date >= today())?.date ?? today()));
  const [minutes, setMinutes] = useState(slots[0]?.minutes ?? USUAL_MINUTES);
  const [said, setSaid] = useState("");
  const add = (more: ChosenSlot[]) => {
    const result = addSlots([...fixed, ...slots], more, new Date());
    choose(inOrder(result.slots.filter((slot) => !fixed.some((one) => sameSlot(one, slot)))));
    const first = more[0];
    const added = result.added === 0 ? "" : `${first && result.added === 1 ? chosenText(first) : `${result.added}個の候補日`}を追加しました。`;
    setSaid(`${added}${result.left_out === null ? "" : `${result.left_out}。`}`);
    if (first && result.added > 0) setMonday(mondayOf(first.date));
  };
  const remove = (slot: ChosenSlot) => {
    choose(slots.filter((other) => !sameSlot(other, slot)));
    setSaid(`${chosenText(slot)}を外しました。`);
  };
  const sunday = addDays(monday, 6);
  return (
    <div className={classes.picker}>
      <SlotFields minutes={minutes} setMinutes={setMinutes} add={add} invalid={invalid} />
      <div className={classes.weekBar}>
        <Button variant="default" size="sm" aria-label="前の週" disabled={addDays(monday, -1) < today()} onClick={() => setMonday(addDays(monday, -7))}>
          ←
        </Button>
        <Button variant="default" size="sm" aria-label="次の週" onClick={() => setMonday(addDays(monday, 7))}>
          →
        </Button>
        <strong className="figures" aria-live="polite">{`${monday.slice(0, 4)}年${Number(monday.slice(5, 7))}月${Number(monday.slice(8))}日〜${Number(sunday.slice(5, 7))}月${Number(sunday.slice(8))}日`}</strong>
        <span className={classes.weekHint}>カレンダーを押すか、なぞっても選べます</span>
      </div>
      <Suspense fallback={<div className={classes.weekLoading} />}>
        <Week monday={monday} chosen={slots} fixed={fixed} usualMinutes={minutes} add={add} remove={remove} />
      </Suspense>
      <p className={classes.said} role="status">
        {said}
      </p>
      <ChosenList slots={slots} most={MOST_SLOTS - fixed.length} add={add} remove={remove} />
    </div>
  );
}

function mondayOf(date: string): string {
  return addDays(date, 1 - weekdayOf(date));
}

interface ChosenListProps {
  slots: readonly ChosenSlot[];
  most: number;
  add: (slots: ChosenSlot[]) => void;
  remove: (slot: ChosenSlot) => void;
}

function ChosenList({ slots, most, add, remove }: ChosenListProps) {
  return (
    <section aria-label="選んだ候補日">
      <div className={classes.chosenHead}>
        <h3>
          選んだ候補日 <span className="figures">{slots.length}</span>個<small>（{most}個まで）</small>
        </h3>
        {slots.length > 0 && (
          <Button variant="subtle" size="compact-md" onClick={() => add(slots.map(weekLater))}>
            すべて、同じ時刻を次の週にも
          </Button>
        )}
      </div>
      {slots.length === 0 && <p className={classes.none}>まだありません。</p>}
      <ul className={classes.chosen}>
        {slots.map((slot) => {
          const text = chosenText(slot);
          return (
            <li key={`${slot.date}${slot.start}${slot.minutes}`}>
              <span className="figures">{text}</span>
              <Button variant="subtle" size="compact-sm" aria-label={`${text}の同じ時刻を翌週も`} onClick={() => add([weekLater(slot)])}>
                翌週も
              </Button>
              <Button variant="subtle" size="compact-sm" color="var(--red)" aria-label={`${text}を外す`} onClick={() => remove(slot)}>
                外す
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
