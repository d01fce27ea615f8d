import { describe, expect, test } from "vitest";
import { deadlineChoices, deadlineProblem, deadlineWarning, suggestedDeadline } from "./deadline";
import { newDraft, wireThread } from "../draft";
import { countOf, decidedBy, deciderOf, DECIDERS, NEW_RULE, ruleDraftOf, ruleProblem, wireRule } from "./rule";

const NOW = new Date("2026-12-01T12:00:00+09:00");
const slot = (date: string) => ({ date, start: "14:00", minutes: 60 });

describe("the rule on the wire", () => {
  test("of one person is the document's default", () => {
    expect(wireRule({ ...NEW_RULE, kind: "ANY", auto: true })).toEqual({
      version: "1.0",
      type: "ANY",
      slot_policy: { multiple_slots_allowed: true },
      invitee_scope: { allow_unregistered: true },
      rule: {},
      finalize_policy: { auto_finalize: true, policy: "EARLIEST_VALID" },
    });
  });

  test("of a number has it twice, as the document does", () => {
    expect(wireRule({ ...NEW_RULE, kind: "K_OF_N", count: 2 })).toMatchObject({ participants: [], k: 2, rule: { k: 2 } });
  });

  test("of people who must come counts them", () => {
    expect(wireRule({ ...NEW_RULE, kind: "REQUIRED_PLUS_K", required: ["lm:1", "e:a"], others: 2 })).toMatchObject({
      required: ["lm:1", "e:a"],
      optional: [],
      quorum: 2,
      rule: { required_count: 2, optional_quorum: 2 },
    });
  });

  test("of groups names their people", () => {
    const rule = wireRule({ ...NEW_RULE, kind: "GROUP_ANY", groups: [{ audienceId: 3, least: 2 }] }, [{ id: 3, name: "理事会", keys: ["lm:1", "lm:2"] }]);
    expect(rule).toMatchObject({ groups: [{ name: "理事会", audience_id: 3, any_of_invitee_keys: ["lm:1", "lm:2"], min: 2 }], rule: { groups: 1 } });
  });

  test.each(["ANY", "ALL", "K_OF_N", "REQUIRED_PLUS_K", "GROUP_ANY"] as const)("%s comes back as it was chosen", (kind) => {
    const rule = { ...NEW_RULE, kind, auto: false, several: false, groups: [{ audienceId: 3, least: 2 }], required: ["lm:1"], others: 1, count: 4 };
    const back = ruleDraftOf(wireRule(rule, [{ id: 3, name: "理事会", keys: [] }]));
    expect(wireRule(back, [{ id: 3, name: "理事会", keys: [] }])).toEqual(wireRule(rule, [{ id: 3, name: "理事会", keys: [] }]));
  });

  test("of another program that the form does not know starts from the beginning", () => {
    expect(ruleDraftOf({ type: "EXPRESSION" }).kind).toBe(NEW_RULE.kind);
    expect(ruleDraftOf(null)).toEqual(NEW_RULE);
  });
});

test.each([
  [{ ...NEW_RULE, count: 0 }, "人数を1以上で入れてください"],
  [{ ...NEW_RULE, count: Number.NaN }, "人数を1以上で入れてください"],
  [{ ...NEW_RULE, count: 6 }, "声をかける方は5人です。それ以下の人数にしてください"],
  [{ ...NEW_RULE, kind: "REQUIRED_PLUS_K" as const }, "必ず来てほしい方を選んでください"],
  [{ ...NEW_RULE, kind: "REQUIRED_PLUS_K" as const, required: ["lm:1"], others: 5 }, "ほかの方は4人です。それ以下の人数にしてください"],
  [{ ...NEW_RULE, kind: "GROUP_ANY" as const }, "グループを1つ以上選んでください"],
  [{ ...NEW_RULE, kind: "ALL" as const }, null],
])("what is missing in a rule is said: %o", (rule, problem) => expect(ruleProblem(rule, 5)).toBe(problem));

describe('who decides — found("24.B1")', () => {
  test("is the office, unless somebody chooses otherwise", () => {
    const body = wireThread(newDraft(), [], NOW, 9);
    expect(body).toMatchObject({ decide_at_deadline: false, rule: { type: "K_OF_N", k: 5, finalize_policy: { auto_finalize: false } } });
    expect(deciderOf(newDraft())).toBe("office");
    expect(Object.keys(DECIDERS)[0]).toBe("office");
    expect(ruleDraftOf(null).auto).toBe(false);
  });

  test.each(["office", "rule", "deadline"] as const)("%s is what the cards say", (decider) => {
    expect(deciderOf(decidedBy(decider, NEW_RULE))).toBe(decider);
  });

  test("three of nine is nobody's default, and people who must come need another one", () => {
    expect([1, 2, 9, 10].map((people) => countOf(NEW_RULE, people))).toEqual([1, 2, 5, 6]);
    expect(wireRule({ ...NEW_RULE, kind: "REQUIRED_PLUS_K", required: ["lm:1"] }, [], 9)).toMatchObject({ quorum: 1, rule: { required_count: 1, optional_quorum: 1 } });
  });
});

describe("the deadline", () => {
  test("is suggested in a week, but two days before the first date", () => {
    expect(suggestedDeadline([slot("2026-12-20"), slot("2026-12-25")], NOW)).toEqual({ date: "2026-12-08", time: "18:00" });
    expect(suggestedDeadline([slot("2026-12-06")], NOW)).toEqual({ date: "2026-12-04", time: "18:00" });
    expect(suggestedDeadline([slot("2026-12-03")], NOW)).toEqual({ date: "2026-12-01", time: "18:00" });
    expect(suggestedDeadline([slot("2026-12-02")], NOW)).toEqual({ date: "2026-12-01", time: "23:00" });
    expect(suggestedDeadline([], new Date("2026-12-01T23:30:00+09:00"))).toEqual({ date: "2026-12-08", time: "18:00" });
  });

  test("has quick choices, none of them after the first date", () => {
    expect(deadlineChoices([slot("2026-12-05")], NOW).map(({ label, at }) => [label, at.date])).toEqual([
      ["3日後", "2026-12-04"],
      ["次の金曜", "2026-12-04"],
      ["最初の候補日の前日", "2026-12-04"],
    ]);
  });

  test("must be whole and in the future", () => {
    expect(deadlineProblem({ date: "", time: "18:00" }, NOW)).toBe("回答期限の日付と時刻を入れてください");
    expect(deadlineProblem({ date: "2026-12-01", time: "11:00" }, NOW)).toBe("過去の日時です。これからの日時にしてください");
    expect(deadlineProblem({ date: "2026-12-01", time: "13:00" }, NOW)).toBeNull();
  });

  test("after the dates is said", () => {
    expect(deadlineWarning({ date: "2026-12-10", time: "18:00" }, [slot("2026-12-05"), slot("2026-12-20")], NOW)).toContain("1個の候補日");
    expect(deadlineWarning({ date: "2026-12-10", time: "18:00" }, [slot("2026-12-05")], NOW)).toContain("すべての候補日");
    expect(deadlineWarning({ date: "2026-12-03", time: "18:00" }, [slot("2026-12-05")], NOW)).toBeNull();
  });
});
