import { expect, test } from "vitest";
import { changeOf, draftOf, ruleErrors } from "./draft";
import type { Rule } from "./queries";
import { recipientsText, ruleText } from "./words";

const NOW = new Date("2026-11-20T10:00:00+09:00");
const RULE: Rule = {
  rule_code: "API_ERROR_CRITICAL",
  severity: "warn",
  channels: ["chatwork", "sms"],
  chatwork_room_id: "4711",
  email_to: null,
  sms_to: "090-1234-5678",
  throttle_minutes: 30,
  active: true,
  fallback: false,
  quiet_hours: true,
  snoozed_until: null,
  built_in: false,
  updated_at: null,
};

test("a rule is said in sentences", () => {
  expect(ruleText(RULE, NOW)).toBe("ChatWorkとSMSに知らせます。同じ問題は、30分に1回までです。夜（22時〜7時）は、SMSを送りません。");
  expect(ruleText({ ...RULE, fallback: true, throttle_minutes: 120, severity: "critical" }, NOW)).toBe("ChatWork、SMSの順に、届くまで知らせます。同じ問題は、2時間に1回までです。");
  expect(ruleText({ ...RULE, throttle_minutes: 0, channels: ["chatwork"] }, NOW)).toContain("起きるたびに知らせます");
  expect(ruleText({ ...RULE, active: false }, NOW)).toBe("チケットを作るだけで、だれにも知らせません。");
  expect(ruleText({ ...RULE, snoozed_until: "2026-11-20T12:00:00+09:00" }, NOW)).toMatch(/^2026\/11\/20 12:00までは/);
  expect(recipientsText(RULE)).toBe("ChatWorkのルーム 4711、090-1234-5678");
});

test("a rule that is opened and saved stays as it is", () => {
  const { rule_code: _code, built_in: _built_in, updated_at: _updated_at, ...change } = RULE;
  expect(changeOf(draftOf(RULE, NOW))).toEqual(change);
  const snoozed = { ...RULE, snoozed_until: "2026-11-20T12:00:00+09:00" };
  expect(changeOf(draftOf(snoozed, NOW)).snoozed_until).toBe(snoozed.snoozed_until);
  // A pause that is over is not written down again.
  expect(changeOf(draftOf({ ...RULE, snoozed_until: "2026-11-20T09:00:00+09:00" }, NOW)).snoozed_until).toBeNull();
});

test("recipients are read as people type them", () => {
  const draft = { ...draftOf(RULE, NOW), channels: ["email"] as const, email_to: "ａ@example.jp、 b@example.jp", chatwork_room_id: "ルーム" };
  expect(ruleErrors(draft, NOW)).toEqual({});
  expect(changeOf(draft)).toMatchObject({ email_to: "a@example.jp, b@example.jp", sms_to: "090-1234-5678", chatwork_room_id: null });
});

test("each field says what is wrong with it", () => {
  const draft = { ...draftOf(null, NOW), rule_code: "1x", channels: ["chatwork", "email", "sms"] as const, chatwork_room_id: "abc", sms_to: "x", throttle_minutes: "2000", snoozed_until: "2026-11-20T09:00" };
  expect(Object.keys(ruleErrors(draft, NOW, [])).sort()).toEqual(["chatwork_room_id", "email_to", "rule_code", "sms_to", "snoozed_until", "throttle_minutes"]);
  expect(ruleErrors({ ...draftOf(null, NOW), rule_code: "api_error_critical" }, NOW, ["API_ERROR_CRITICAL"])).toEqual({ rule_code: "このコードのルールは、もうあります" });
});
