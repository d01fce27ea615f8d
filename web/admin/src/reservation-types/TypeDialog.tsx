import { Button, Switch } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { answerOf, api } from "../api/client";
import { changedFields, type FieldErrors, serverErrors } from "../booking/forms";
import { bookingChanged } from "../booking/queries";
import type { ReservationType } from "../booking/shapes";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import { PAYMENTS_ON } from "../payments/on";
import { draftOf, typeErrors, typeOf } from "./draft";
import { NoticeFields, PaymentFields, RuleFields } from "./TypeFields";

export function TypeDialog({ editing, close }: { editing: ReservationType | "new" | null; close: () => void }) {
  return (
    <Dialog opened={editing !== null} close={close} title={editing === "new" ? "予約の種類を作る" : "予約の種類を変更"} size="lg">
      {editing && <TypeForm before={editing === "new" ? null : editing} close={close} />}
    </Dialog>
  );
}

function TypeForm({ before, close }: { before: ReservationType | null; close: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(draftOf(before));
  const [errors, setErrors] = useState<FieldErrors>({});
  const saving = useMutation({
    mutationFn: () => {
      const wanted = typeOf(draft);
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
    const found = typeErrors(draft);
    setErrors(found);
    if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate();
  }
  const fields = { draft, change: setDraft, errors };
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <RuleFields {...fields} />
      <NoticeFields {...fields} />
      {PAYMENTS_ON && <PaymentFields {...fields} />}
      {before !== null && (
        <Switch
          label="この種類を使う"
          description="使わない種類の予約枠は、職員に見えず、予約できません。"
          checked={draft.active}
          onChange={(event) => setDraft({ ...draft, active: event.currentTarget.checked })}
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
