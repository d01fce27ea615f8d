import type { ReactNode } from "react";
import chips from "../frame/Chips.module.css";
import classes from "./Notices.module.css";
import type { NoticeSummary } from "./queries";
import { narrowed, type NoticesSearch, STATUSES } from "./search";
import { count, STATUS_NAMES } from "./words";

/** What LINE's monthly limit leaves, and when the command that sends was last alive. */
export function HeadFacts({ summary: { quota, last_run } }: { summary: NoticeSummary }) {
  return (
    <dl className={classes.head}>
      <Fact name="今月の残り" note={quotaNote(quota)}>
        {quota === null ? "わかりません" : quota.left === null ? "上限なし" : count(quota.left, "通")}
      </Fact>
      <Fact name="前回の送信" note="ふつうは1分ごとに動きます。">
        {last_run ?? "まだありません"}
      </Fact>
    </dl>
  );
}

function quotaNote(quota: NoticeSummary["quota"]): string {
  if (quota === null) return "LINEに問い合わせできませんでした。送信はできます。";
  if (quota.limit === null) return `今月は${count(quota.used ?? 0, "通")}を送りました。`;
  const used = `${count(quota.limit, "通")}のうち${count(quota.used ?? 0, "通")}を送りました。`;
  return quota.promised > 0 ? `${used}送信待ちの${count(quota.promised, "通")}を引いた数です。` : used;
}

function Fact({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className="figures">{children}</span>
        <small>{note}</small>
      </dd>
    </div>
  );
}

/** How many notices are in each state; a press shows their reservations only. */
export function Counters({ counts, search, find }: { counts: NoticeSummary["counts"]; search: NoticesSearch; find: (search: NoticesSearch) => void }) {
  return (
    <div className={`${chips.chips} ${classes.counters}`} role="group" aria-label="状態">
      <span className={classes.allTime}>過去の予約も含む件数：</span>
      <button type="button" aria-pressed={search.status === undefined} onClick={() => find(narrowed(search, "status", ""))}>
        すべて
      </button>
      {STATUSES.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={search.status === status}
          data-trouble={(["FAILED", "UNKNOWN", "NONE"].includes(status) && counts[status] > 0) || undefined}
          onClick={() => find(narrowed(search, "status", search.status === status ? "" : status))}
        >
          {STATUS_NAMES[status]} <span className="figures">{counts[status].toLocaleString("ja-JP")}</span>
        </button>
      ))}
    </div>
  );
}
