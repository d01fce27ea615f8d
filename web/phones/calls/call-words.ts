import type { Call } from "../client/types";

export type CallFilter = "all" | "in" | "out" | "failed";

export const CALL_FILTERS: [CallFilter, string][] = [
  ["all", "すべて"],
  ["in", "LINE役へ"],
  ["out", "本体へ"],
  ["failed", "失敗だけ"],
];

export function filterCalls(calls: Call[], filter: CallFilter): Call[] {
  if (filter === "all") return calls;
  return calls.filter((call) => (filter === "failed" ? hasFailed(call) : call.direction === filter));
}

export function hasFailed(call: Call): boolean {
  return call.status === null || call.status >= 400;
}

/** LIFF addresses and the member page's API are called by a phone; everything else goes between the two servers. */
export function wayOf(call: Call): string {
  if (call.direction === "out") return call.path.startsWith("/api/liff/") ? "電話 → 本体" : "LINE役 → 本体";
  return call.path.startsWith("/liff/") ? "電話 → LINE役" : "本体 → LINE役";
}

const WORDS: Record<string, string> = {
  follow: "友だち追加",
  unfollow: "ブロック",
  message: "メッセージ",
  postback: "ボタン",
  liff: "会員ページを開く",
  request_timeout: "時間切れ",
  could_not_connect: "つながりません",
  error_status_code: "エラーの返事",
};

const FAULTS: Record<string, string> = {
  timeout_after_accept: "届いたのに返事なし",
  timeout_before_accept: "届かず返事なし",
  error_500_before: "LINE停止",
  error_500_after: "届いたのにエラー",
  rate_limited: "混雑",
  quota_exhausted: "通数の上限",
  conflict: "受付済み",
  slow: "遅い",
  drop_connection: "切断",
};

/** The sandbox notes in short English words; what is not known here is shown as it was noted. */
export function noteOf(call: Call): string {
  const note = call.note ?? "";
  const fault = /^fault: (\w+)$/.exec(note)?.[1];
  if (fault) return `わざと：${FAULTS[fault] ?? fault}`;
  return note
    .replace(" (redelivery)", "（再送）")
    .split(" / ")
    .map((part) => part.replace(/^[a-z_]+/, (word) => WORDS[word] ?? word))
    .join(" / ");
}
