import { expect, test } from "vitest";
import type { Attempt, TicketDetail } from "./queries";
import { attemptStep, detailsOf, hasRecovered, stepsOf } from "./words";

const AT = "2026-11-20T10:15:00+09:00";
const SENT: Attempt = { kind: "alarm", channel: "chatwork", outcome: "sent", reason: null, attempted_at: AT };
const TICKET: TicketDetail = {
  meaning: null,
  id: 1,
  shop_id: null,
  shop_name: null,
  rule_code: "API_ERROR_CRITICAL",
  severity: "critical",
  title: "STORES予約APIが3回連続で失敗しました。",
  status: "closed",
  occurrences: 4,
  opened_at: AT,
  last_seen_at: "2026-11-20T10:20:00+09:00",
  acknowledged_at: "2026-11-20T10:18:00+09:00",
  acknowledged_by: "admin:jimukyoku",
  closed_at: "2026-11-20T10:40:00+09:00",
  closed_by: "admin:jimukyoku",
  all_clear_at: null,
  request_id: null,
  details: { component: "StoresGateway", last_status_code: 500, nothing: null },
  attempts: [SENT, { ...SENT, kind: "all_clear", attempted_at: "2026-11-20T10:30:00+09:00" }],
  calls: [],
};

test("an attempt says what became of it, and why", () => {
  expect(attemptStep(SENT)).toMatchObject({ text: "ChatWorkに知らせました", detail: null });
  expect(attemptStep({ ...SENT, channel: "sms", outcome: "skipped", reason: "quiet_hours" })).toMatchObject({ text: "SMSには送りませんでした", detail: "夜間（22時〜7時）のため" });
  expect(attemptStep({ ...SENT, channel: "email", outcome: "failed", reason: "status_503" }).detail).toBe("相手の返事は503でした");
  expect(attemptStep({ ...SENT, channel: "email", reason: "MailRefused" }).detail).toContain("届かなかった宛先があります");
  expect(attemptStep({ ...SENT, outcome: "failed", reason: "something_new" }).detail).toBe("something_new");
});

test("the steps of a ticket stand in the order of time", () => {
  expect(stepsOf(TICKET).map(({ text }) => text)).toEqual([
    "問題が起き、チケットができました",
    "ChatWorkに知らせました",
    "対応中になりました",
    "同じ問題が起きました（これまでに4回）",
    "復旧を、ChatWorkに知らせました",
    "完了しました",
  ]);
});

test("details have labels, and those without a value are left out", () => {
  expect(detailsOf(TICKET)).toEqual([
    ["部品", "StoresGateway"],
    ["最後のステータス", "500"],
  ]);
});

test("a ticket has recovered when the all-clear came after it was last seen", () => {
  const last_seen_at = "2026-11-20T10:15:00+09:00";
  expect(hasRecovered({ last_seen_at, all_clear_at: null })).toBe(false);
  expect(hasRecovered({ last_seen_at, all_clear_at: "2026-11-20T10:20:00+09:00" })).toBe(true);
  expect(hasRecovered({ last_seen_at, all_clear_at: "2026-11-20T10:10:00+09:00" })).toBe(false);
});
