import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { fieldError } from "../account/words";
import { accountsChanged } from "../account/queries";
import { answerOf, api } from "../api/client";
import { Dialog } from "../audiences/Dialog";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import type { OneTime } from "./OneTimeDialog";

const LONGEST_NAME = 100;

interface NewAdminDialogProps {
  opened: boolean;
  close: () => void;
  done: (password: OneTime) => void;
}

export function NewAdminDialog({ opened, close, done }: NewAdminDialogProps) {
  return (
    <Dialog opened={opened} close={close} title="管理者を登録">
      {opened && <NewAdminForm close={close} done={done} />}
    </Dialog>
  );
}

function NewAdminForm({ close, done }: Omit<NewAdminDialogProps, "opened">) {
  const client = useQueryClient();
  const [username, setUsername] = useState("");
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const making = useMutation({
    mutationFn: () => answerOf(api.POST("/api/admin/accounts", { body: { username: username.trim() } })),
    onSuccess: (made) => {
      close();
      done(made);
    },
    onError: () => field.current?.focus(),
    onSettled: () => accountsChanged(client),
    gcTime: 0,
  });
  const invalid = fieldError(making.error, "username") ? "空白、コロン（:）、目に見えない文字は使えません" : null;
  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!username.trim()) return field.current?.focus();
    if (!making.isPending) making.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <p>一度だけ使うパスワードを作ります。本人は、はじめてのログインで自分のパスワードを決めます。</p>
      <TextInput
        ref={field}
        label="ユーザー名"
        description="ログインに使う名前です。あとから変えられません。"
        size="md"
        maxLength={LONGEST_NAME}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
        error={invalid ?? (tried && !username.trim() && "ユーザー名を入力してください")}
      />
      {making.isError && invalid === null && <Refusal title="登録できませんでした" error={making.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={making.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={making.isPending}>
          登録する
        </Button>
      </div>
    </form>
  );
}
