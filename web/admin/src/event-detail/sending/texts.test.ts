import { expect, test } from "vitest";
import type { Broadcast, SendResult } from "../event";
import { sendResultText, summaryOf, toneOf, groupProblems } from "./texts";

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
