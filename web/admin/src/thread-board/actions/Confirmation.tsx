import { Button, Skeleton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError, Unreachable } from "../../../../api/errors";
import classes from "../../event-detail/actions/Actions.module.css";
import { messageOf } from "../../event-detail/actions/field-errors";
import { Quota } from "../../event-detail/actions/Quota";
import { useSingleFlight } from "../../event-detail/actions/useSingleFlight";
import { Failure } from "../../frame/Failure";
import { Notice } from "../../frame/Notice";
import { messagesQuery, type PreviewOrder } from "../../threads/queries";
import { Texts } from "../../threads/Texts";
import { BEYOND_LIMIT, type ThreadPreview, peopleCount } from "../../threads/thread";
import { Ways } from "../../threads/Ways";
import { skippedText } from "../words";

interface ConfirmationProps<T> {
  threadId: string;
  /** Describes the action to the server, which returns what it would send. */
  order: PreviewOrder;
  send: (confirmOverQuota: boolean) => Promise<T>;
  done: (result: T) => void;
  back: { label: string; go: () => void };
  /** Receives errors that are shown elsewhere, such as at a field of the form before. */
  refused?: (error: unknown) => void;
  confirm: (people: number) => string;
  /** The text when nobody would be told; without it the action can be confirmed all the same. */
  emptyText?: string;
  /** What the button does when nobody would be told and something is done all the same; null: there is no button. */
  confirmEmpty?: (preview: ThreadPreview) => string | null;
  danger?: boolean;
  children?: ReactNode;
}

/** The preview before something is sent: the people, the ways, the texts and the cost. One button sends it. */
export function Confirmation<T>({ threadId, order, send, done, back, refused, confirm, emptyText, confirmEmpty, danger = false, children }: ConfirmationProps<T>) {
  const [overQuota, setOverQuota] = useState(false);
  const runOnce = useSingleFlight();
  const sending = useMutation({
    mutationFn: () => send(overQuota),
    onSuccess: done,
    onError: (error) => {
      if (error instanceof ApiError && error.code === "QUOTA_EXCEEDED") void preview.refetch();
      else refused?.(error);
    },
  });
  // Once the message is being sent, nothing asks for its preview again: the server refuses one of a thread that is decided.
  const unsent = !sending.isPending && !sending.isSuccess;
  const preview = useQuery({ ...messagesQuery(threadId, order), enabled: unsent });
  const shown = preview.data;
  const empty = shown !== undefined && shown.people.length === 0 && emptyText !== undefined;
  const short = shown?.cost.enough === false;
  const withoutMessage = empty && confirmEmpty ? confirmEmpty(shown) : null;
  const label = empty ? withoutMessage : shown ? confirm(shown.people.length) : null;
  return (
    <div className={classes.stack}>
      {preview.isPending && <Skeleton height={220} role="status" aria-label="読み込んでいます" />}
      {preview.isError && <Failure error={preview.error} retry={() => void preview.refetch()} />}
      {empty && <Notice tone="info">{emptyText}</Notice>}
      {shown && !empty && (
        <>
          {children}
          <Told preview={shown} overQuota={overQuota} confirm={setOverQuota} />
        </>
      )}
      {shown && shown.skipped.length > 0 && <p className={classes.quota}>送らない方：{skippedText(shown.skipped)}</p>}
      {sending.isError && <SendingFailed error={sending.error} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={back.go} disabled={sending.isPending}>
          {empty && label === null ? "閉じる" : back.label}
        </Button>
        {label !== null && (
          <Button
            {...(danger ? { color: "var(--red)" } : {})}
            data-autofocus
            loading={sending.isPending}
            disabled={short && !empty && !overQuota}
            onClick={() => runOnce(() => sending.mutateAsync())}
          >
            {label}
          </Button>
        )}
      </div>
    </div>
  );
}

interface ToldProps {
  preview: Pick<ThreadPreview, "people" | "line" | "mail" | "call" | "cost" | "subject" | "mail_text" | "line_text">;
  overQuota: boolean;
  confirm: (confirmed: boolean) => void;
}

/** Who is told, how, with which words, and what it costs. */
export function Told({ preview, overQuota, confirm }: ToldProps) {
  return (
    <>
      <p className={`${classes.lead} ${classes.who}`}>{peopleCount(preview.people.length)}に知らせます</p>
      <Ways reached={preview} />
      {preview.line + preview.mail > 0 && <Texts texts={preview} />}
      {(preview.cost.cost > 0 || preview.cost.enough === false) && (
        <Quota quota={preview.cost} confirmed={overQuota} confirm={confirm} beyond={BEYOND_LIMIT} />
      )}
    </>
  );
}

export function SendingFailed({ error }: { error: unknown }) {
  return (
    <Notice tone="danger" title="できませんでした" requestId={error instanceof ApiError ? error.requestId : null} alert>
      {messageOf(error)}
      {error instanceof Unreachable && " もう一度押しても、二重に届くことはありません。"}
    </Notice>
  );
}
