import { Button } from "@mantine/core";
import { Moment } from "../frame/Moment";
import type { Board } from "../threads/thread";
import type { ActionChoice } from "./actions/dialog";
import classes from "./Board.module.css";

/** What was agreed about the thread: how it is decided, until when, and the rest. */
export function AboutCard({ board, choose }: { board: Board; choose: (choice: ActionChoice) => void }) {
  const { thread, rule } = board;
  const open = thread.status === "active" || thread.status === "draft";
  return (
    <section className={classes.card} aria-labelledby="thread-about">
      <div className={classes.cardHead}>
        <h2 id="thread-about">決め方と内容</h2>
        {open && (
          <div className={classes.panelActions}>
            <Button variant="default" size="sm" onClick={() => choose({ action: "rule" })}>
              決め方を変える
            </Button>
            <Button variant="default" size="sm" onClick={() => choose({ action: "edit" })}>
              内容・期限を変える
            </Button>
          </div>
        )}
      </div>
      <dl className={classes.about}>
        <dt>決め方</dt>
        <dd>{rule === null ? "決め方がありません。「決め方を変える」で決めるか、手で決定してください。" : rule.sentence}</dd>
        {thread.description && (
          <>
            <dt>説明</dt>
            <dd>{thread.description}</dd>
          </>
        )}
        {thread.place && (
          <>
            <dt>場所</dt>
            <dd>{thread.place}</dd>
          </>
        )}
        <dt>回答期限</dt>
        <dd>{thread.deadline_at === null ? "送ってから72時間" : <Moment at={thread.deadline_at} />}</dd>
        <dt>設定</dt>
        <dd>{settingsOf(thread).join("・")}</dd>
        <dt>作った人</dt>
        <dd>
          {thread.organizer_name ?? "いまはいない管理者"}（<Moment at={thread.created_at} />）
        </dd>
        {thread.sent_at !== null && (
          <>
            <dt>送った日時</dt>
            <dd>
              <Moment at={thread.sent_at} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

function settingsOf(thread: Board["thread"]): string[] {
  return [
    ...(thread.decide_at_deadline ? ["期限になるまで決めない"] : []),
    ...(thread.remind_before_deadline ? ["期限の前日に督促"] : []),
    thread.maybe_allowed ? "△で答えられる" : "○×だけ",
    thread.answers_visible ? "回答を互いに見せる" : "回答は事務局だけが見る",
  ];
}
