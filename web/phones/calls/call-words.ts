import type { Call } from "../client/types";

const STRIPE_API = "/v1/";
/** The other systems, by the beginning of their paths. */
const OTHERS: [string, string][] = [
  ["/reserve/", "STORES"],
  ["/chatwork/", "ChatWork"],
  ["/twilio/", "SMS"],
  ["/karaden/", "SMS"],
  ["/openai/", "言語モデル"],
  ["/v1beta/", "言語モデル"],
];

function otherSystem(path: string): string | undefined {
  return OTHERS.find(([start]) => path.startsWith(start))?.[1];
}

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

/** LIFF addresses, the member page's API and the payment page are called by a phone; the rest by the two servers. */
export function wayOf(call: Call): string {
  if (call.direction === "out") {
    if (call.path.startsWith("/api/stripe/")) return "Stripe役 → 本体";
    return call.path.startsWith("/api/liff/") ? "電話 → 本体" : "LINE役 → 本体";
  }
  const other = otherSystem(call.path);
  if (other) return `本体 → ${other}役`;
  if (call.path.startsWith("/c/pay/")) return "電話 → Stripe役";
  if (call.path.startsWith(STRIPE_API)) return "本体 → Stripe役";
  return call.path.startsWith("/liff/") ? "電話 → LINE役" : "本体 → LINE役";
}

const WORDS: Record<string, string> = {
  follow: "友だち追加",
  unfollow: "ブロック",
  message: "メッセージ",
  postback: "ボタン",
  liff: "会員ページを開く",
  pay: "支払いページ",
  card: "カードで支払う",
  declined: "カードの拒否",
  konbini: "コンビニを選ぶ",
  paid: "コンビニで支払った",
  missed: "支払わずに期限切れ",
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
  error_status: "エラー",
  html_page: "HTMLの返事",
  empty_body: "空の返事",
  broken_json: "壊れた返事",
  redirect: "転送",
};

const STRIPE_FAULTS: Record<string, string> = {
  ...FAULTS,
  error_500_before: "Stripe停止",
  timeout_after_accept: "済んだのに返事なし",
  error_500_after: "済んだのにエラー",
  conflict: "同じキーが処理中",
  expire_loses_race: "期限切れより先に支払い",
};

const OTHER_FAULTS: Record<string, string> = {
  ...FAULTS,
  error_500_before: "停止",
  timeout_after_accept: "済んだのに返事なし",
  timeout_before_accept: "返事なし",
  error_500_after: "済んだのにエラー",
};

function faultsOf(path: string): Record<string, string> {
  if (path.startsWith(STRIPE_API)) return STRIPE_FAULTS;
  return otherSystem(path) ? OTHER_FAULTS : FAULTS;
}

/** The sandbox notes in short English words; what is not known here is shown as it was noted. */
export function noteOf(call: Call): string {
  const note = call.note ?? "";
  const fault = /^fault: (\w+)$/.exec(note)?.[1];
  const faults = faultsOf(call.path);
  if (fault) return `わざと：${faults[fault] ?? fault}`;
  return note
    .replace(" (redelivery)", "（再送）")
    .split(" / ")
    .map((part) => part.replace(/^[a-z_]+/, (word) => WORDS[word] ?? word))
    .join(" / ");
}
