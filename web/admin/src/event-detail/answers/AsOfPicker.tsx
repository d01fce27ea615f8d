import { Button, Popover, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { asOfInstant, dayAndTime } from "../times";

interface AsOfPickerProps {
  /** `2025-09-01T12:00`, Japanese time; null: now. */
  picked: string | null;
  pick: (picked: string) => void;
}

/** Chooses a past moment whose answers are to be shown. */
export function AsOfPicker({ picked, pick }: AsOfPickerProps) {
  const [open, setOpen] = useState(false);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus withinPortal shadow="md" withRoles>
      <Popover.Target>
        <Button variant="default" size="sm" onClick={() => setOpen(!open)}>
          時点を指定
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="時点を指定">
        <AsOfForm
          picked={picked}
          pick={(moment) => {
            setOpen(false);
            pick(moment);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function AsOfForm({ picked, pick }: AsOfPickerProps) {
  const [fields, setFields] = useState(() => (picked === null ? dayAndTime(new Date()) : splitMoment(picked)));
  const [error, setError] = useState<string | null>(null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const moment = `${fields.date}T${fields.time}`;
    const instant = asOfInstant(moment, new Date());
    if (instant === null) setError("日付と時刻の両方を入れてください");
    else if (Date.parse(instant) > Date.now()) setError("未来の時点は指定できません");
    else pick(moment);
  }

  return (
    <form onSubmit={submit} noValidate style={{ display: "grid", gap: "0.75rem", width: "15rem" }}>
      <TextInput
        type="date"
        label="日付"
        data-autofocus
        value={fields.date}
        max={dayAndTime(new Date()).date}
        error={error}
        onChange={(event) => setFields({ ...fields, date: event.currentTarget.value })}
      />
      <TextInput
        type="time"
        label="時刻"
        value={fields.time}
        onChange={(event) => setFields({ ...fields, time: event.currentTarget.value })}
      />
      <Button type="submit">この時点の回答を見る</Button>
    </form>
  );
}

function splitMoment(moment: string) {
  const [date = "", time = ""] = moment.split("T");
  return { date, time };
}
