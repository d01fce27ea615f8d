import type { Answer } from "../../../api/shapes";
import { SuccessIcon } from "../frame/icons";
import classes from "./HomePage.module.css";

type Inbox = Answer<"/api/admin/overview">["inbox"];

const STATES: { key: keyof Inbox; label: string; meaning: string; tone: "calm" | "warning" | "danger" }[] = [
  { key: "waiting", label: "処理待ち", meaning: "順番に自動で処理します。お待ちください。", tone: "calm" },
  {
    key: "unknown",
    label: "要確認",
    meaning: "処理が終わったかどうか、確かめられませんでした。システムの担当者に確認を依頼してください。",
    tone: "warning",
  },
  {
    key: "failed",
    label: "失敗",
    meaning: "処理できませんでした。友だちの一覧に抜けがあるかもしれません。システムの担当者にお知らせください。",
    tone: "danger",
  },
];

export function InboxCard({ inbox }: { inbox: Inbox }) {
  const empty = STATES.every(({ key }) => inbox[key] === 0);
  return (
    <section className={`${classes.card} ${classes.wide}`} aria-labelledby="home-inbox">
      <h2 id="home-inbox">受信箱</h2>
      {empty ? (
        <p className={classes.calm}>
          <SuccessIcon />
          LINEから届いた知らせは、すべて処理が終わっています。
        </p>
      ) : (
        <dl className={classes.states}>
          {STATES.map(({ key, label, meaning, tone }) => (
            <div key={key} className={classes.state} data-tone={inbox[key] > 0 ? tone : undefined}>
              <dt>{label}</dt>
              <dd>
                <span className={classes.count}>{inbox[key].toLocaleString("ja-JP")}</span> 件
                {inbox[key] > 0 && <p className={classes.meaning}>{meaning}</p>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
