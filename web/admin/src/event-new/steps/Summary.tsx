import type { ReactNode } from "react";
import { DEFAULT_LABEL, type Draft } from "../draft/draft";
import type { Preview } from "../queries";
import type { Step } from "../rules/field-errors";
import { notReached, type Recipient } from "../rules/recipients";
import { heldAtText } from "../rules/held-at";
import classes from "./Confirm.module.css";

interface SummaryProps {
  draft: Draft;
  preview: Preview;
  /** Everybody of the chosen groups, also who cannot be chosen. */
  all: readonly Recipient[];
  go: (step: Step) => void;
}

export function Summary({ draft, preview, all, go }: SummaryProps) {
  const others = notReached(all, preview.not_reached);
  return (
    <dl className={classes.summary}>
      <Fact name="タイトル" step={1} go={go}>
        {draft.title.trim()}
      </Fact>
      <Fact name="開催日時" step={1} go={go}>
        <span className="figures">{heldAtText(draft.date, draft.time)}</span>
      </Fact>
      <Fact name="メモ欄" step={1} go={go}>
        {draft.memo ? `${draft.memoLabel.trim() || DEFAULT_LABEL}（${draft.memoAttendOnly ? "出席の人だけ" : "全員が書けます"}）` : "なし"}
      </Fact>
      <Fact name="受信者" step={4} go={go}>
        <strong className="figures">LINEで{preview.ways.line.toLocaleString("ja-JP")}人に届きます</strong>
        {others.length > 0 && (
          <details className={classes.others}>
            <summary>届かない方 {others.length.toLocaleString("ja-JP")}人</summary>
            {[...new Set(others.map(({ why }) => why))].map((reason) => {
              const names = others.filter(({ why }) => why === reason).map(({ name }) => name);
              return <p key={reason}>{`${reason}（${names.length.toLocaleString("ja-JP")}人）：${names.join("、")}`}</p>;
            })}
            <p>お電話などでお知らせください。</p>
          </details>
        )}
      </Fact>
    </dl>
  );
}

interface FactProps {
  name: string;
  step: Step;
  go: (step: Step) => void;
  children: ReactNode;
}

function Fact({ name, step, go, children }: FactProps) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      <dd className={classes.edit}>
        <button type="button" onClick={() => go(step)} aria-label={`${name}を直す`}>
          直す
        </button>
      </dd>
    </div>
  );
}
