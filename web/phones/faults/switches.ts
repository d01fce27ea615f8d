import type { FaultRule, Quota } from "../client/types";

export interface FaultSwitch {
  key: string;
  label: string;
  /** Short, for the strip under the top bar. */
  short: string;
  /** What one can watch in the product meanwhile. */
  watch: string;
  rules: Omit<FaultRule, "id">[];
}

/** Rules of this page carry their switch in the id, so that rules which others have set stay untouched. */
const MARK = "switch-";

/** The product waits three seconds for LINE's log-in: slower than this would be a failure, not slowness. */
const SLOW_SECONDS = 2;
/** Long enough to be seen, short enough to watch. */
const LOST_SECONDS = 4;
const LATE_SECONDS = 5;
const STRIPE_WEBHOOK = "stripe_webhook";

export const SWITCHES: FaultSwitch[] = [
  {
    key: "slow",
    label: "ネットワークが遅い",
    short: "遅い",
    watch: "LINE の返事が毎回2秒遅れます。会員ページが開くまで「読み込み中」が続き、イベントの送信は進み具合を見ながら待てます。",
    rules: [{ kind: "slow", endpoint: "*", seconds: SLOW_SECONDS }],
  },
  {
    key: "down",
    label: "LINE が止まっている",
    short: "LINE停止",
    watch: "LINE がすべてエラーを返します。送った案内は「送信中」のまま残り、元に戻すと自動で届きます。会員ページは接続できないと知らせます。",
    rules: [{ kind: "error_500_before", endpoint: "line" }],
  },
  {
    key: "lost",
    label: "返事だけが届かない",
    short: "返事なし",
    watch: "案内は電話に届くのに、LINE の返事が消えます。本体は同じ送信番号で確かめ直すので、電話に同じ案内が二つ届くことはありません。",
    rules: ["push", "multicast"].map((endpoint) => ({
      kind: "timeout_after_accept",
      endpoint,
      seconds: LOST_SECONDS,
    })),
  },
  {
    key: "busy",
    label: "混雑している",
    short: "混雑",
    watch: "LINE が送信の6割を「混みあっています」（429）と断ります。本体は少しずつ間をあけて送り直し、最後には全員に届きます。",
    rules: ["push", "multicast"].map((endpoint) => ({ kind: "rate_limited", endpoint, percent: 60 })),
  },
  {
    key: "payments",
    label: "Stripe が止まっている",
    short: "Stripe停止",
    watch: "Stripe がすべてエラーを返します。有料の予約では支払いページを開けません。元に戻すと、また支払えます。",
    rules: [{ kind: "error_500_before", endpoint: "stripe" }],
  },
  {
    key: "unsteady",
    label: "支払いの知らせが乱れる",
    short: "知らせの乱れ",
    watch: "支払いの知らせが5秒遅れ、順番が逆になり、二度ずつ届きます。予約の確定とその案内は一度だけです。",
    rules: [
      { kind: "webhook_delayed", endpoint: STRIPE_WEBHOOK, seconds: LATE_SECONDS },
      { kind: "webhook_reordered", endpoint: STRIPE_WEBHOOK },
      { kind: "webhook_repeated", endpoint: STRIPE_WEBHOOK },
    ],
  },
  {
    key: "unheard",
    label: "支払いの知らせが届かない",
    short: "知らせなし",
    watch: "支払っても、その知らせが本体に届きません。本体が Stripe に問い合わせたときに、支払いに気づきます。",
    rules: [{ kind: "webhook_dropped", endpoint: STRIPE_WEBHOOK }],
  },
];

export const QUOTA_SWITCH = {
  label: "今月の上限に達した",
  short: "通数の上限",
  watch: "今月送れる通数を使い切ったことにします。管理画面のホームの残り通数と、イベントを送る前の確認に表れます。",
};

export function isOn(rules: FaultRule[], key: string): boolean {
  return rules.some((rule) => switchOf(rule) === key);
}

export function withSwitch(rules: FaultRule[], key: string, on: boolean): FaultRule[] {
  const others = rules.filter((rule) => switchOf(rule) !== key);
  const own = SWITCHES.find((one) => one.key === key)?.rules ?? [];
  return on ? [...others, ...own.map((rule, index) => ({ ...rule, id: `${MARK}${key}-${index}` }))] : others;
}

/** Rules that a test or a script has set: this page can only name them and clear them. */
export function foreignRules(rules: FaultRule[]): FaultRule[] {
  return rules.filter((rule) => switchOf(rule) === null);
}

function switchOf(rule: FaultRule): string | null {
  const key = rule.id.startsWith(MARK) ? rule.id.slice(MARK.length).replace(/-\d+$/, "") : null;
  return SWITCHES.some((one) => one.key === key) ? key : null;
}

export function isUsedUp(quota: Quota): boolean {
  return quota.type === "limited" && quota.total_usage >= (quota.value ?? 0);
}

/** What is going wrong on purpose right now, in words for the strip. */
export function activeWords(rules: FaultRule[], quota: Quota): string[] {
  const words = SWITCHES.filter(({ key }) => isOn(rules, key)).map(({ short }) => short);
  if (isUsedUp(quota)) words.push(QUOTA_SWITCH.short);
  if (foreignRules(rules).length > 0) words.push("ほかの設定");
  return words;
}
