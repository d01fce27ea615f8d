import { Button, Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "../frame/Failure";
import { Moment } from "../frame/Moment";
import { More } from "../frame/More";
import { historyQuery } from "../threads/queries";
import { slotText } from "../threads/slot-times";
import { type HistoryEntry, MARKS } from "../threads/thread";
import classes from "./Board.module.css";
import { VIA_NAMES } from "./words";

/** Every answer that was given, the newest first. It is loaded when somebody wants to see it. */
export function HistoryCard({ threadId }: { threadId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={classes.card} aria-labelledby="thread-history">
      <div className={classes.cardHead}>
        <h2 id="thread-history">回答の履歴</h2>
        <Button variant="default" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "履歴を閉じる" : "履歴を見る"}
        </Button>
      </div>
      {open && <History threadId={threadId} />}
    </section>
  );
}

function History({ threadId }: { threadId: string }) {
  const query = useInfiniteQuery(historyQuery(threadId));
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      {query.isPending && <Skeleton height={120} mt="sm" role="status" aria-label="読み込んでいます" />}
      {query.isError && !query.isFetchNextPageError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && entries.length === 0 && <p className={classes.ratio}>まだ回答はありません。</p>}
      <ul className={classes.history}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <More query={query} />
    </>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  return (
    <li>
      <Moment at={entry.answered_at} />
      <div>
        <p>
          <strong>{entry.name}</strong>：{answerText(entry)}
        </p>
        {entry.comment && <p>「{entry.comment}」</p>}
        <small>
          {VIA_NAMES[entry.via]}
          {entry.answered_by && `（${entry.answered_by}）`}
        </small>
      </div>
    </li>
  );
}

function answerText({ status, slots }: HistoryEntry): string {
  if (status === "declined") return "どの日も行けない";
  return slots
    .map((slot) => `${MARKS[slot["answer"] as keyof typeof MARKS] ?? ""} ${slotText({ start_at: slot["start_at"] ?? "", end_at: slot["end_at"] ?? "" })}`)
    .join("、");
}
