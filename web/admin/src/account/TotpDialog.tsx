import { Button, CopyButton, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import type { paths } from "../../../api/schema";
import { answerOf, api } from "../api/client";
import { Dialog } from "../audiences/Dialog";
import dialogs from "../members/Dialogs.module.css";
import { Refusal } from "../members/Refusal";
import classes from "./Account.module.css";
import { accountsChanged } from "./queries";
import { fieldError } from "./words";

export type TotpDraft = paths["/api/admin/account/totp"]["post"]["responses"]["200"]["content"]["application/json"];

interface TotpDialogProps {
  draft: TotpDraft | null;
  close: () => void;
  done: (codes: string[]) => void;
}

/** The key for the app, as a QR code and as text, until a code shows that the app has it. */
export function TotpDialog({ draft, close, done }: TotpDialogProps) {
  return (
    <Dialog opened={draft !== null} close={close} title="認証アプリに登録" size="lg">
      {draft && <TotpForm draft={draft} close={close} done={done} />}
    </Dialog>
  );
}

function TotpForm({ draft, close, done }: TotpDialogProps & { draft: TotpDraft }) {
  const client = useQueryClient();
  const [code, setCode] = useState("");
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const confirming = useMutation({
    mutationFn: () => answerOf(api.POST("/api/admin/account/totp/confirmation", { body: { code: code.trim() } })),
    onSuccess: ({ codes }) => done(codes),
    onError: () => {
      field.current?.select();
      // On a telephone, what is wrong would stand below the edge of the dialog.
      field.current?.scrollIntoView({ block: "center" });
    },
    onSettled: () => accountsChanged(client),
    gcTime: 0,
  });
  const wrong = fieldError(confirming.error, "code");
  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!code.trim()) return field.current?.focus();
    if (!confirming.isPending) confirming.mutate();
  }
  return (
    <form className={dialogs.form} onSubmit={submit} noValidate>
      <ol className={classes.steps}>
        <li>
          認証アプリで、このQRコードを読み取ってください。
          <svg className={classes.qr} viewBox={`0 0 ${draft.qr_size} ${draft.qr_size}`} role="img" aria-label="認証アプリ用のQRコード" shapeRendering="crispEdges">
            <path d={draft.qr_path} fill="#000" />
          </svg>
        </li>
        <li>
          読み取れないときや、この端末に認証アプリがあるときは、アプリに次の鍵を入力してください。
          <div className={classes.secret}>
            <code>{draft.secret}</code>
          </div>
          <div className={classes.row}>
            <CopyButton value={draft.secret.replaceAll(" ", "")}>
              {({ copied, copy }) => (
                <Button variant="default" size="sm" onClick={copy}>
                  <span aria-live="polite">{copied ? "コピーしました" : "鍵をコピー"}</span>
                </Button>
              )}
            </CopyButton>
            <a className={classes.onPhone} href={draft.uri}>
              この端末の認証アプリで開く
            </a>
          </div>
        </li>
        <li>アプリに出た6桁の数字を入れてください。</li>
      </ol>
      <TextInput
        ref={field}
        label="認証コード"
        size="md"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        error={wrong ?? (tried && !code.trim() && "認証コードを入力してください")}
      />
      {confirming.isError && wrong === null && <Refusal title="設定できませんでした" error={confirming.error} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close} disabled={confirming.isPending}>
          やめる
        </Button>
        <Button type="submit" size="md" loading={confirming.isPending}>
          オンにする
        </Button>
      </div>
    </form>
  );
}
