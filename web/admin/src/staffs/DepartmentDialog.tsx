import { Button, Switch, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { answerOf, api } from "../api/client";
import { changedFields, type FieldErrors, serverErrors } from "../booking/forms";
import { bookingChanged } from "../booking/queries";
import type { Department } from "../booking/shapes";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";

export function DepartmentDialog({ editing, close }: { editing: Department | "new" | null; close: () => void }) {
  return (
    <Dialog opened={editing !== null} close={close} title={editing === "new" ? "部署を登録" : "部署を変更"}>
      {editing && <DepartmentForm editing={editing} close={close} />}
    </Dialog>
  );
}

function DepartmentForm({ editing, close }: { editing: Department | "new"; close: () => void }) {
  const client = useQueryClient();
  const before = editing === "new" ? null : editing;
  const [id, setId] = useState(before?.id ?? "");
  const [name, setName] = useState(before?.name ?? "");
  const [active, setActive] = useState(before?.active ?? true);
  const [errors, setErrors] = useState<FieldErrors>({});
  const saving = useMutation({
    mutationFn: () => {
      if (before === null) return answerOf(api.POST("/api/admin/departments", { body: { id: id.trim(), name: name.trim() } }));
      const body = changedFields(before, { name: name.trim(), active });
      return answerOf(api.PATCH("/api/admin/departments/{department_id}", { params: { path: { department_id: before.id } }, body }));
    },
    onSuccess: () => {
      void bookingChanged(client);
      close();
    },
    onError: (error) => setErrors(serverErrors(error)),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    const found = { ...(id.trim() ? {} : { id: "コードを入力してください" }), ...(name.trim() ? {} : { name: "名前を入力してください" }) };
    setErrors(found);
    if (before && before.name === name.trim() && before.active === active) return close();
    if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      {before === null ? (
        <TextInput
          label="コード"
          description="あとから変えられません。例：3A、REHA"
          size="md"
          autoComplete="off"
          data-autofocus
          value={id}
          error={errors["id"]}
          onChange={(event) => setId(event.currentTarget.value)}
        />
      ) : (
        <p>コード：{before.id}</p>
      )}
      <TextInput label="名前" size="md" autoComplete="off" value={name} error={errors["name"]} onChange={(event) => setName(event.currentTarget.value)} />
      {before !== null && (
        <Switch
          label="この部署を使う"
          description="使わない部署は、新しく選べません。いまいる職員はそのままです。"
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
          {before === null ? "登録する" : "保存する"}
        </Button>
      </div>
    </form>
  );
}
