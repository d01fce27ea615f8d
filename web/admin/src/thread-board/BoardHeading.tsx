import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { type Board, titleOf } from "../threads/thread";
import { BackToThreads } from "./BackToThreads";
import classes from "./Board.module.css";

/** The title and what happened to the thread, with its actions below. */
export function BoardHeading({ thread, children }: { thread: Board["thread"]; children: ReactNode }) {
  return (
    <>
      <BackToThreads />
      <PageHeading title={titleOf(thread)}>
        <span className={classes.facts}>
          {thread.place && <span>{thread.place}</span>}
          {thread.deadline_at !== null && (thread.status === "active" || thread.status === "draft") && (
            <span>
              回答期限 <Moment at={thread.deadline_at} />
            </span>
          )}
        </span>
      </PageHeading>
      {thread.status === "draft" && (
        <Notice tone="info" title="下書きです" className={classes.notice}>
          まだ、だれにも送られていません。候補日や声をかける方を見直してから、「送る」を押してください。
        </Notice>
      )}
      {thread.status === "cancelled" && (
        <Notice tone="danger" title="この日程調整は中止になりました" className={classes.notice}>
          {thread.cancel_reason && <p className={classes.reason}>理由：{thread.cancel_reason}</p>}
          {thread.cancelled_at !== null && (
            <p className={classes.reason}>
              <Moment at={thread.cancelled_at} /> に中止
            </p>
          )}
          <Link to="/threads/new">新しい日程調整を作る</Link>
        </Notice>
      )}
      {thread.event_id !== null && (
        <Notice tone="success" className={classes.notice}>
          この日程から、イベントを作りました。{" "}
          <Link to="/events/$eventId" params={{ eventId: String(thread.event_id) }}>
            イベントを見る
          </Link>
        </Notice>
      )}
      <div className={classes.notice}>{children}</div>
    </>
  );
}
