import { Button, Switch, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { answerOf, api } from "../api/client";
import classes from "../booking/Booking.module.css";
import { changedFields, type FieldErrors, serverErrors, wholeNumber } from "../booking/forms";
import { bookingChanged } from "../booking/queries";
import type { ReservationType } from "../booking/shapes";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";

export function TypeDialog({ editing, close }: { editing: ReservationType | "new" | null; close: () => void }) {
  return (
    <Dialog opened={editing !== null} close={close} title={editing === "new" ? "予約の種類を作る" : "予約の種類を変更"} size="lg">
      {editing && <TypeForm before={editing === "new" ? null : editing} close={close} />}
    </Dialog>
  );
}

const text = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));

function TypeForm({ before, close }: { before: ReservationType | null; close: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState(before?.name ?? "");
  const [description, setDescription] = useState(before?.description ?? "");
  const [limit, setLimit] = useState(before ? text(before.limitPerYear) : "1");
  const [days, setDays] = useState(text(before?.minimumDaysBetween));
  const [hours, setHours] = useState(text(before?.cancelUntilHours ?? 0));
  const [overlap, setOverlap] = useState(before?.overlapAllowed ?? false);
  const [active, setActive] = useState(before?.active ?? true);
  const [errors, setErrors] = useState<FieldErrors>({});
  const orNull = (value: string) => (value.trim() === "" ? null : wholeNumber(value, 1, 9999));
  const wanted = {
    name: name.trim(),
    description: description.trim() || null,
    limitPerYear: orNull(limit),
    minimumDaysBetween: orNull(days),
    cancelUntilHours: wholeNumber(hours, 0, 9999) ?? 0,
    overlapAllowed: overlap,
    active,
  };
  const saving = useMutation({
    mutationFn: () => {
      if (before === null) return answerOf(api.POST("/api/admin/reservation-types", { body: wanted }));
      const body = changedFields(before, wanted);
      return answerOf(api.PATCH("/api/admin/reservation-types/{type_id}", { params: { path: { type_id: before.id } }, body }));
    },
    onSuccess: () => {
      void bookingChanged(client);
      close();
    },
    onError: (error) => setErrors(serverErrors(error)),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const bad = (value: string, least: number) => value.trim() !== "" && wholeNumber(value, least, 9999) === null;
    const found: Record<string, string> = {};
    if (wanted.name === "") found["name"] = "名前を入力してください";
    if (bad(limit, 1)) found["limitPerYear"] = "1以上の数字か、空にしてください";
    if (bad(days, 1)) found["minimumDaysBetween"] = "1以上の数字か、空にしてください";
    if (hours.trim() === "" || bad(hours, 0)) found["cancelUntilHours"] = "0以上の数字にしてください";
    setErrors(found);
    if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <TextInput
        label="名前"
        placeholder="例：職員健診"
        size="md"
        autoComplete="off"
        maxLength={100}
        data-autofocus
        value={name}
        error={errors["name"]}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="説明（職員に表示されます）"
        size="md"
        autosize
        minRows={2}
        maxRows={6}
        value={description}
        error={errors["description"]}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <div className={classes.fields}>
        <TextInput
          label="1人が年度に予約できる回数"
          description="空にすると、制限しません。"
          size="md"
          inputMode="numeric"
          value={limit}
          error={errors["limitPerYear"]}
          onChange={(event) => setLimit(event.currentTarget.value)}
        />
        <TextInput
          label="次の予約までにあける日数"
          description="2回目の接種など。空でもかまいません。"
          size="md"
          inputMode="numeric"
          value={days}
          error={errors["minimumDaysBetween"]}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <TextInput
          label="取り消しの締め切り（開始の何時間前）"
          description="0なら、開始まで取り消せます。"
          size="md"
          inputMode="numeric"
          value={hours}
          error={errors["cancelUntilHours"]}
          onChange={(event) => setHours(event.currentTarget.value)}
        />
      </div>
      <Switch label="ほかの予約と同じ時間でも予約できる" checked={overlap} onChange={(event) => setOverlap(event.currentTarget.checked)} />
      {before !== null && (
        <Switch
          label="この種類を使う"
          description="使わない種類の予約枠は、職員に見えず、予約できません。"
          checked={active}
          onChange={(event) => setActive(event.currentTarget.checked)}
        />
      )}
      {saving.isError && Object.keys(errors).length === 0 && <Refusal title="保存できませんでした" error={saving.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={saving.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={saving.isPending}>
          {before === null ? "作る" : "保存する"}
        </Button>
      </div>
    </form>
  );
}
