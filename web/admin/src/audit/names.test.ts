import { expect, test } from "vitest";
import { actionGroups, actionName, actorName, subjectName, subjectPath } from "./names";

const names = { member: (id: number) => (id === 5 ? "山田太郎" : undefined), audience: () => undefined };

test.each([
  ["member:5", "会員「山田太郎」"],
  ["member:6", "会員 6"],
  ["event:7", "イベント 7"],
  ["members", "名簿"],
  ["admin:?", "（登録のないユーザー名）"],
  ["admin:yamada", "yamada"],
  ["parcel:3", "parcel:3"],
])("%s is %s", (subject, words) => {
  expect(subjectName(subject, names)).toBe(words);
});

test("a name that the log itself has stands in for one that is not known", () => {
  expect(subjectName("audience:3", names, "理事会")).toBe("グループ「理事会」");
  expect(subjectName("member:5", names, "別の名前")).toBe("会員「山田太郎」");
});

test("only what has a page can be opened", () => {
  expect(subjectPath("event:7")).toBe("/events/7");
  expect(["member:5", "members", "parcel:3"].map(subjectPath)).toEqual(["/people/member/5", null, null]);
});

test("a code without words is shown as it is", () => {
  expect(actionName("EVENT_CREATE")).toBe("イベントを作成");
  expect(actionName("THREAD_OPEN")).toBe("THREAD_OPEN");
  expect([actorName("cli"), actorName("admin:yamada")]).toEqual(["コマンド操作", "yamada"]);
});

test("actions of no group stand after the groups, and a group never names an action that is off", () => {
  const given = { audit_actions: { A: "あ", B: "い" }, audit_groups: [{ label: "甲", actions: ["A", "OFF"] }, { label: "乙", actions: ["OFF"] }] };
  expect(actionGroups(given)).toEqual([
    { label: "甲", actions: ["A"] },
    { label: null, actions: ["B"] },
  ]);
});
