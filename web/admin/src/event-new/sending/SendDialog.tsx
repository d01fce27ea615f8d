import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ApiError } from "../../../../api/errors";
import { Notice } from "../../frame/Notice";
import { ConfirmDialog } from "../ConfirmDialog";
import type { Draft } from "../draft/draft";
import { heldAtText } from "../rules/held-at";
import { isSentAlready, isUncertain } from "./send";
import classes from "./Sending.module.css";

interface SendDialogProps {
  opened: boolean;
  draft: Draft;
  /** How many will be reached, and how many of those chosen will not. */
  people: number;
  others: number;
  sending: { busy: boolean; error: unknown };
  onSend: () => void;
  onClose: () => void;
  onDiscard: () => void;
}

export function SendDialog({ opened, draft, people, others, sending, onSend, onClose, onDiscard }: SendDialogProps) {
  const { busy, error } = sending;
  const count = people.toLocaleString("ja-JP");
  if (isSentAlready(error)) {
    return (
      <ConfirmDialog opened={opened} title="すでに送信されています" confirm="下書きを破棄する" cancel="閉じる" danger onConfirm={onDiscard} onClose={onClose}>
        <p>この下書きは、内容を変える前に一度送信され、受け付けられています。二重に送らないよう、送信を止めました。</p>
        <Button variant="default" renderRoot={(props) => <Link to="/events" {...props} />}>
          イベントの一覧で確かめる
        </Button>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      opened={opened}
      title={people > 0 ? `${count}人に送信しますか？` : "いまは送らずに作成しますか？"}
      confirm={error !== null ? "もう一度送信する" : people > 0 ? "送信する" : "作成する"}
      busy={busy}
      onConfirm={onSend}
      onClose={onClose}
    >
      {people > 0 ? (
        <p>
          「{draft.title.trim()}」（<span className="figures">{heldAtText(draft.date, draft.time)}</span>）の画像と文章を、いますぐ{count}
          人のLINEに送ります。送信したあとで、取り消すことはできません。
        </p>
      ) : (
        <p>
          「{draft.title.trim()}」（<span className="figures">{heldAtText(draft.date, draft.time)}</span>）のイベントを作ります。いまは、どなたのLINEにも届きません。
        </p>
      )}
      {others > 0 && <p>選んだ方のうち{others.toLocaleString("ja-JP")}人には、いまは届きません。お名前と理由は「届かない方」で確かめられます。</p>}
      <p className={classes.busy} role="status">
        {busy && "送信を受け付けています。このままお待ちください。"}
      </p>
      {error !== null && !busy && <SendingProblem error={error} />}
    </ConfirmDialog>
  );
}

function SendingProblem({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : "";
  const requestId = error instanceof ApiError ? error.requestId : null;
  if (isUncertain(error)) {
    return (
      <Notice tone="warning" title="送信できたかどうか、確かめられませんでした" requestId={requestId} alert>
        {message}「もう一度送信する」を押しても、同じ案内が二重に届くことはありません。
      </Notice>
    );
  }
  return (
    <Notice tone="danger" title="送信できませんでした" requestId={requestId} alert>
      {message}
    </Notice>
  );
}
