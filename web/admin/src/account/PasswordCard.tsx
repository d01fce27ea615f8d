import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { answerOf, api } from "../api/client";
import { Notice } from "../frame/Notice";
import { Refusal } from "../members/Refusal";
import { PasswordField } from "../session/PasswordField";
import { session } from "../session/session";
import classes from "./Account.module.css";
import { accountsChanged } from "./queries";
import { fieldError, type PasswordDraft, passwordErrors } from "./words";

const EMPTY: PasswordDraft = { current: "", wanted: "", again: "" };

/** `forced`: the person has logged in with a one-time password and goes on to the home screen afterwards. */
export function PasswordCard({ username, forced }: { username: string; forced: boolean }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const fields = { current: useRef<HTMLInputElement>(null), wanted: useRef<HTMLInputElement>(null), again: useRef<HTMLInputElement>(null) };
  const saving = useMutation({
    mutationFn: () =>
      answerOf(api.POST("/api/admin/account/password", { body: { current_password: draft.current, new_password: draft.wanted } })),
    onSuccess: ({ csrf_token }) => {
      session.begin(username, csrf_token, session.nextStep);
      if (forced) return window.location.assign("/admin/");
      setDraft(EMPTY);
      setTried(false);
      void accountsChanged(client);
    },
    onError: (error) => fields[fieldError(error, "new_password") ? "wanted" : "current"].current?.focus(),
  });
  const wrong = passwordErrors(draft);
  const refused = { current: fieldError(saving.error, "current_password"), wanted: fieldError(saving.error, "new_password"), again: null };
  const shown = (field: keyof PasswordDraft) => (tried && wrong[field]) || refused[field] || false;
  const change = (field: keyof PasswordDraft) => (value: string) => {
    setDraft({ ...draft, [field]: value });
    saving.reset();
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    const first = (Object.keys(EMPTY) as (keyof PasswordDraft)[]).find((field) => wrong[field]);
    if (first) return fields[first].current?.focus();
    if (!saving.isPending) saving.mutate();
  }

  return (
    <section className={classes.card} aria-labelledby="own-password">
      <h2 id="own-password">パスワード</h2>
      <p>変更すると、ほかの端末のログインとAPIトークンは、すべて終了します。</p>
      <form className={classes.narrow} onSubmit={submit} noValidate>
        {/* Password managers need to know whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          ref={fields.current}
          label="現在のパスワード"
          name="current-password"
          description={forced ? "いまログインに使った、一度だけのパスワードです。" : undefined}
          autoFocus={forced}
          value={draft.current}
          onChange={change("current")}
          error={shown("current")}
        />
        <PasswordField
          ref={fields.wanted}
          label="新しいパスワード"
          name="new-password"
          autoComplete="new-password"
          description="10文字以上。よく使われる言葉や、ユーザー名・団体名だけのものは使えません。"
          autoFocus={false}
          value={draft.wanted}
          onChange={change("wanted")}
          error={shown("wanted")}
        />
        <PasswordField
          ref={fields.again}
          label="新しいパスワード（もう一度）"
          name="new-password-again"
          autoComplete="new-password"
          autoFocus={false}
          value={draft.again}
          onChange={change("again")}
          error={shown("again")}
        />
        {saving.isError && refused.current === null && refused.wanted === null && (
          <Refusal title="変更できませんでした" error={saving.error} />
        )}
        <div role="status">
          {saving.isSuccess && !forced && (
            <Notice tone="success">
              パスワードを変更しました。
              {saving.data.ended > 0 && `ほかのログインとAPIトークン${saving.data.ended}件を終了しました。`}
            </Notice>
          )}
        </div>
        <Button type="submit" size="md" loading={saving.isPending}>
          パスワードを変更する
        </Button>
      </form>
    </section>
  );
}
