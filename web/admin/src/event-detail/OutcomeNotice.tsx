import { CloseButton } from "@mantine/core";
import { Notice } from "../frame/Notice";
import { messageOf } from "./actions/field-errors";
import type { SendResult } from "./event";
import classes from "./EventDetail.module.css";
import { sendResultText, toneOf } from "./sending/texts";

export type ActionOutcome = { what: string; result: SendResult } | { error: unknown };

/** The outcome of the last action. The element is always in the page, because screen readers announce only changes inside it. */
export function OutcomeNotice({ outcome, dismiss }: { outcome: ActionOutcome | null; dismiss: () => void }) {
  return (
    <div role="status" className={outcome ? classes.notice : undefined}>
      {outcome && (
        <Notice tone={toneFor(outcome)}>
          <div className={classes.noticeRow}>
            <span>{textFor(outcome)}</span>
            <CloseButton aria-label="この知らせを閉じる" size="sm" onClick={dismiss} />
          </div>
        </Notice>
      )}
    </div>
  );
}

function toneFor(outcome: ActionOutcome) {
  if ("error" in outcome) return "danger";
  return outcome.result.push ? toneOf(outcome.result.push) : "success";
}

function textFor(outcome: ActionOutcome): string {
  if ("error" in outcome) return messageOf(outcome.error);
  const decided: Record<string, string> = { 変更: "変更を保存しました。", 中止: "イベントを中止にしました。" };
  return `${decided[outcome.what] ?? ""}${sendText(outcome.what, outcome.result)}`;
}

function sendText(what: string, result: SendResult): string {
  const outcome = sendResultText(result);
  return outcome === "" ? "" : what in { 変更: 1, 中止: 1 } ? `お知らせを${outcome}` : `${what}を${outcome}`;
}
