import { useRef } from "react";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import { ReasonDialog } from "../booking/ReasonDialog";
import { Notice } from "../frame/Notice";
import type { Cause, NoticeSummary } from "./queries";
import { USUAL } from "./ResendDialog";
import { count, reasonText } from "./words";

export type ResendResult = Answer<"/api/admin/notifications/resend", "post">;

/** Which notices: those that somebody ticked, or all that failed for one reason. */
export type Many = { jobIds: readonly number[] } | { cause: Cause };

interface ResendManyDialogProps {
  many: Many | null;
  quota: NoticeSummary["quota"];
  close: () => void;
  done: (result: ResendResult) => void;
}

export function ResendManyDialog({ many, quota, close, done }: ResendManyDialogProps) {
  const last = useRef(many);
  if (many) last.current = many;
  const shown = many ?? last.current;
  if (!shown) return null;
  const number = "cause" in shown ? shown.cause.resendable : shown.jobIds.length;
  return (
    <ReasonDialog
      opened={many !== null}
      close={close}
      title="まとめて再送する"
      usual={USUAL}
      action={`${count(number)}を再送する`}
      run={async (reason) => done(await resendAll("cause" in shown ? { cause: shown.cause.reason } : { job_ids: [...shown.jobIds] }, reason))}
    >
      <p>
        {"cause" in shown ? (
          <>
            「{reasonText(shown.cause.reason)}」で送れなかった通知のうち、いま送れる<strong>{count(number)}</strong>
          </>
        ) : (
          <>
            選んだ<strong>{count(number)}</strong>の通知
          </>
        )}
        を送信待ちにします。次の送信（ふつうは1分以内）から順に送られます。
      </p>
      <p>取り消された予約や、始まった予約の通知は送りません。届いたかどうか分からない通知は、1通ずつ確かめて再送してください。</p>
      {quota?.left !== null && quota !== null && quota.left < number && (
        <Notice tone="warning" title="今月の残りが足りません">
          LINEの今月の残りは{count(quota.left, "通")}です。足りない分は、また失敗になります。
        </Notice>
      )}
    </ReasonDialog>
  );
}

/** One request takes a part of a long list and says whether more is left. */
async function resendAll(which: { cause: Cause["reason"] } | { job_ids: number[] }, reason: string): Promise<ResendResult> {
  const result: ResendResult = { queued: 0, refused: [], more: true };
  while (result.more) {
    const part = await answerOf(api.POST("/api/admin/notifications/resend", { body: { ...which, reason } }));
    result.queued += part.queued;
    result.refused.push(...part.refused);
    result.more = part.more && part.queued > 0;
  }
  return result;
}
