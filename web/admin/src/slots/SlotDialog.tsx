import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { dayText, isDay, rangeText } from "../booking/days";
import { changedFields, type FieldErrors, serverErrors } from "../booking/forms";
import { bookingChanged } from "../booking/queries";
import type { Slot } from "../booking/shapes";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { sharedDraft, sharedErrors, sharedFields, timeDraft, timeError, timeFields } from "./draft";
import { SharedFields } from "./SharedFields";

interface SlotDialogProps {
  opened: boolean;
  close: () => void;
  /** The slot to change; without it a new one is made. */
  slot?: Slot;
  date: string;
  type?: number | undefined;
}

export function SlotDialog({ opened, close, ...form }: SlotDialogProps) {
  return (
    <Dialog opened={opened} close={close} title={form.slot ? "予約枠を変更" : "予約枠を1つ作る"} size="lg">
      {opened && <SlotForm close={close} {...form} />}
    </Dialog>
  );
}

function SlotForm({ close, slot, date, type }: Omit<SlotDialogProps, "opened">) {
  const client = useQueryClient();
  const [shared, setShared] = useState(slot ? sharedDraft(slot) : { ...sharedDraft(), type });
  const [day, setDay] = useState(date);
  const [time, setTime] = useState(timeDraft(slot));
  const [errors, setErrors] = useState<FieldErrors>({});
  // The people in it were told a day and a time.
  const fixed = slot !== undefined && slot.bookedCount > 0;
  const saving = useMutation({
    mutationFn: () => {
      const fields = { ...sharedFields(shared), serviceDateLocal: day, ...timeFields(time) };
      if (!slot) return answerOf(api.POST("/api/admin/slots", { body: fields }));
      return answerOf(api.PATCH("/api/admin/slots/{slot_id}", { params: { path: { slot_id: slot.id } }, body: changedFields({ ...slot, notes: slot.notes || null }, fields) }));
    },
    onSuccess: close,
    onError: (error) => setErrors(serverErrors(error)),
    onSettled: () => bookingChanged(client),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const late = timeError(time);
    const found = { ...sharedErrors(shared), ...(late ? { startMinuteOfDay: late } : {}), ...(isDay(day) ? {} : { serviceDateLocal: "日付を入れてください" }) };
    setErrors(found);
    if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      {fixed ? (
        <p>
          {dayText(day)} {rangeText(slot)}・{slot.reservationTypeName}
          <br />
          <span className={classes.soft}>予約した方がいるため、日時と種類は変えられません。定員は{slot.bookedCount}人までなら減らせます。</span>
        </p>
      ) : (
        <div className={classes.fields}>
          <TextInput
            label="日付"
            type="date"
            size="md"
            max="2099-12-31"
            value={day}
            error={errors["serviceDateLocal"]}
            onChange={(event) => setDay(event.currentTarget.value)}
          />
          <TextInput
            label="開始時刻"
            type="time"
            size="md"
            value={time.start}
            error={errors["startMinuteOfDay"] ?? errors["durationMinutes"]}
            onChange={(event) => setTime({ ...time, start: event.currentTarget.value })}
          />
          <TextInput label="長さ（分）" size="md" inputMode="numeric" value={time.minutes} onChange={(event) => setTime({ ...time, minutes: event.currentTarget.value })} />
        </div>
      )}
      <SharedFields draft={shared} change={setShared} errors={errors} typeFixed={fixed} />
      {saving.isError && <Refusal title="保存できませんでした" error={saving.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={saving.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={saving.isPending}>
          {slot ? "保存する" : "作る"}
        </Button>
      </div>
    </form>
  );
}
