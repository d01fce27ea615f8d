import { Button, Skeleton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError, Unreachable } from "../../../../api/errors";
import { Failure } from "../../frame/Failure";
import { Notice } from "../../frame/Notice";
import { peopleCount, type SendResult } from "../event";
import { type PreviewRequest, messagePreviewQuery } from "../queries";
import classes from "./Actions.module.css";
import { messageOf } from "./field-errors";
import { PhonePreview } from "./PhonePreview";
import { Quota } from "./Quota";
import { SkippedPeople, Recipients } from "./Recipients";
import { useSingleFlight } from "./useSingleFlight";

interface ConfirmationProps {
  eventId: number;
  /** Describes the message to the server, which returns its preview. */
  request: PreviewRequest;
  send: (confirmOverQuota: boolean) => Promise<SendResult>;
  done: (result: SendResult) => void;
  back: { label: string; go: () => void };
  /** Receives errors that are shown elsewhere, such as at a field of the form before. */
  refused?: (error: unknown) => void;
  /** The text when there is no recipient; without it a message without recipients can be confirmed. */
  emptyText?: string;
  /** What the button says when the decision is worth something although nobody is told. Without it nothing is sent then. */
  withoutAnybody?: string;
  danger?: boolean;
  children?: ReactNode;
}

/** The preview before something is sent: the recipients, the messages and the cost. One button sends it. */
export function Confirmation({ eventId, request, send, done, back, refused, emptyText, withoutAnybody, danger = false, children }: ConfirmationProps) {
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
  // Once the message is being sent, nothing asks for its preview again: the server refuses one of a cancelled event.
  const unsent = !sending.isPending && !sending.isSuccess;
  const preview = useQuery({ ...messagePreviewQuery(eventId, request), enabled: unsent });
  const shown = preview.data;
  const empty = shown !== undefined && shown.recipients_total === 0 && emptyText !== undefined;
  const label = shown && shown.ways.line > 0 ? `${peopleCount(shown.ways.line)}に送信する` : withoutAnybody;
  return (
    <div className={classes.stack}>
      {preview.isPending && <Skeleton height={220} role="status" aria-label="読み込んでいます" />}
      {preview.isError && <Failure error={preview.error} retry={() => void preview.refetch()} />}
      {empty && (
        <>
          <Notice tone="info">{emptyText}</Notice>
          <SkippedPeople people={shown.not_reached} />
        </>
      )}
      {shown && !empty && (
        <>
          {children}
          <Recipients preview={shown} />
          <PhonePreview messages={shown.messages} />
          <Quota quota={shown.quota} confirmed={overQuota} confirm={setOverQuota} useless={shown.ways.line === 0 && label === undefined} />
        </>
      )}
      {sending.isError && <SendingFailed error={sending.error} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={back.go} disabled={sending.isPending}>
          {empty ? "閉じる" : back.label}
        </Button>
        {shown && !empty && (label !== undefined) && (
          <Button
            {...(danger ? { color: "var(--red)" } : {})}
            data-autofocus
            loading={sending.isPending}
            disabled={shown.quota.enough === false && !overQuota}
            onClick={() => runOnce(() => sending.mutateAsync())}
          >
            {label}
          </Button>
        )}
      </div>
    </div>
  );
}

function SendingFailed({ error }: { error: unknown }) {
  return (
    <Notice tone="danger" title="送信できませんでした" requestId={error instanceof ApiError ? error.requestId : null} alert>
      {messageOf(error)}
      {error instanceof Unreachable && " もう一度押しても、二重に届くことはありません。"}
    </Notice>
  );
}
