import { CloseButton } from "@mantine/core";
import { Notice } from "../frame/Notice";
import { messageOf } from "./actions/faults";
import type { SendResult } from "./event";
import classes from "./EventDetail.module.css";
import { outcomeOf, toneOf } from "./sending/words";

export type Happened = { what: string; told: SendResult } | { error: unknown };

/** What the last action led to. Always in the page, so that screen readers hear of it when it fills. */
export function Result({ happened, dismiss }: { happened: Happened | null; dismiss: () => void }) {
  return (
    <div role="status" className={happened ? classes.notice : undefined}>
      {happened && (
        <Notice tone={toneFor(happened)}>
          <div className={classes.noticeRow}>
            <span>{wordsFor(happened)}</span>
            <CloseButton aria-label="この知らせを閉じる" size="sm" onClick={dismiss} />
          </div>
        </Notice>
      )}
    </div>
  );
}

function toneFor(happened: Happened) {
  if ("error" in happened) return "danger";
  return happened.told.push ? toneOf(happened.told.push) : "success";
}

function wordsFor(happened: Happened): string {
  if ("error" in happened) return messageOf(happened.error);
  const decided: Record<string, string> = { 変更: "変更を保存しました。", 中止: "イベントを中止にしました。" };
  return `${decided[happened.what] ?? ""}${sentInWords(happened.what, happened.told)}`;
}

function sentInWords(what: string, told: SendResult): string {
  const outcome = outcomeOf(told);
  return outcome === "" ? "" : what in { 変更: 1, 中止: 1 } ? `お知らせを${outcome}` : `${what}を${outcome}`;
}
