import type { ReactNode } from "react";
import { DEFAULT_LABEL, type Draft } from "../draft/draft";
import type { Preview } from "../queries";
import type { Step } from "../rules/field-errors";
import { heldAtText } from "../rules/held-at";
import classes from "./Confirm.module.css";

const MAX_NAMES = 5;

export function Summary({ draft, preview, go }: { draft: Draft; preview: Preview; go: (step: Step) => void }) {
  const blocked = preview.recipients.filter((one) => one.blocked);
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
        <strong className="figures">{preview.recipients_total.toLocaleString("ja-JP")}人</strong>
        {blocked.length > 0 && (
          <p className={classes.warn}>
            {`うち${blocked.length.toLocaleString("ja-JP")}人は友だち未追加かブロック中のため、送っても見られません：${names(blocked)}`}
          </p>
        )}
        {preview.unreachable.length > 0 && (
          <p className={classes.warn}>{`届かない方がいます：${names(preview.unreachable)}。受信者を見直してください。`}</p>
        )}
      </Fact>
    </dl>
  );
}

function names(people: readonly { name: string }[]): string {
  const first = people.slice(0, MAX_NAMES).map(({ name }) => name);
  return people.length > MAX_NAMES ? `${first.join("、")} ほか${people.length - MAX_NAMES}人` : first.join("、");
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
