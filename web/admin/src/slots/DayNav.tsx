import { Button, TextInput } from "@mantine/core";
import { addDays, isDay, today } from "../booking/days";
import own from "./Slots.module.css";

/** The day before, the day after, or any day. */
export function DayNav({ date, go }: { date: string; go: (date: string) => void }) {
  return (
    <div className={own.dayNav}>
      <Button variant="default" size="md" aria-label="前の日" onClick={() => go(addDays(date, -1))}>
        ‹
      </Button>
      <TextInput
        label="日付"
        type="date"
        size="md"
        max="2099-12-31"
        value={date}
        onChange={(event) => isDay(event.currentTarget.value) && go(event.currentTarget.value)}
      />
      <Button variant="default" size="md" aria-label="次の日" onClick={() => go(addDays(date, 1))}>
        ›
      </Button>
      {date !== today() && (
        <Button variant="subtle" size="md" onClick={() => go(today())}>
          今日
        </Button>
      )}
    </div>
  );
}
