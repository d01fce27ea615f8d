import { expect, test } from "vitest";
import type { Broadcast, SendResult } from "../event";
import { groupProblems, invitedLately, nextStep, sendResultText, summaryOf, toneOf } from "./texts";

const push = (success: number, fail = 0, unknown = 0, pending = 0) => ({ success, fail, unknown, pending });
const result = (targets: number, result: SendResult["push"]): SendResult => ({ ok: true, targets, push: result });

test("summaryOf names only what there is", () => {
  expect(summaryOf(push(48, 2))).toBe("配信 48/50・失敗2");
  expect(summaryOf(push(50))).toBe("配信 50/50");
  expect(summaryOf(push(1, 1, 1, 1))).toBe("配信 1/4・失敗1・要確認1・送信中1");
});

test("toneOf: the worst counts", () => {
  expect([push(1, 1, 1, 1), push(1, 0, 1, 1), push(1, 0, 0, 1), push(1)].map(toneOf)).toEqual(["danger", "warning", "info", "success"]);
});

test("sendResultText says what happened and what goes on", () => {
  expect(sendResultText(result(0, null))).toBe("");
  expect(sendResultText(result(3, push(3)))).toBe("3人に送りました。");
  expect(sendResultText(result(3, push(2, 1)))).toContain("送信の結果");
  expect(sendResultText(result(3, push(1, 0, 0, 2)))).toContain("続けて送ります");
});

test("groupProblems gathers people by reason", () => {
  const problem = (name: string, reason_text: string) => ({ member_id: 1, name, status: "fail", reason: null, reason_text }) as Broadcast["problems"][number];
  expect(groupProblems([problem("甲", "上限"), problem("乙", "宛先"), problem("丙", "上限")])).toEqual([
    { status: "fail", text: "上限", names: ["甲", "丙"] },
    { status: "fail", text: "宛先", names: ["乙"] },
  ]);
});

test('the primary button is what the situation asks for — found("24.A11")', () => {
  const now = Date.parse("2026-12-12T18:00:00+09:00");
  const sent = (kind: Broadcast["kind"], hours: number, resendable = 0) => ({ kind, created_at: new Date(now - hours * 3_600_000).toISOString(), recipients: 9, resendable });
  expect(nextStep(undefined, now)).toEqual({ resend: null, remind: false });
  expect(nextStep([sent("invite", 1)], now)).toEqual({ resend: null, remind: false });
  expect(nextStep([sent("invite", 25)], now)).toEqual({ resend: null, remind: true });
  expect(nextStep([sent("reminder", 1), sent("invite", 25)], now)).toEqual({ resend: null, remind: true });
  const kept = sent("invite", 25, 4);
  expect(nextStep([sent("change", 2), kept], now)).toEqual({ resend: kept, remind: false });
  expect(invitedLately([sent("late", 2), sent("invite", 25)], now)).toBe(new Date(now - 2 * 3_600_000).toISOString());
  expect(invitedLately([sent("reminder", 2), sent("invite", 25)], now)).toBeNull();
});
