import { describe, expect, it } from "vitest";
import type { FaultRule, Quota } from "../client/types";
import { activeWords, foreignRules, isOn, isUsedUp, SWITCHES, withSwitch } from "./switches";

const foreign: FaultRule = { id: "rule-1", kind: "conflict", endpoint: "push", percent: 10, seed: 3 };
const unlimited: Quota = { type: "none", total_usage: 5 };

describe("withSwitch", () => {
  it.each(SWITCHES.map(({ key }) => key))("turns %s on once and off again, and leaves the rules of others", (key) => {
    const on = withSwitch(withSwitch([foreign], key, true), key, true);
    expect(isOn(on, key)).toBe(true);
    expect(new Set(on.map((rule) => rule.id)).size).toBe(on.length);
    expect(foreignRules(on)).toEqual([foreign]);
    expect(withSwitch(on, key, false)).toEqual([foreign]);
  });

  it("keeps the switches apart", () => {
    const both = withSwitch(withSwitch([], "slow", true), "busy", true);
    expect(SWITCHES.filter(({ key }) => isOn(both, key)).map(({ key }) => key)).toEqual(["slow", "busy"]);
    expect(isOn(withSwitch(both, "slow", false), "busy")).toBe(true);
  });
});

describe("isUsedUp", () => {
  it("needs a limit that was reached", () => {
    expect(isUsedUp(unlimited)).toBe(false);
    expect(isUsedUp({ type: "limited", value: 6, total_usage: 5 })).toBe(false);
    expect(isUsedUp({ type: "limited", value: 5, total_usage: 5 })).toBe(true);
    expect(isUsedUp({ type: "limited", value: 0, total_usage: 0 })).toBe(true);
  });
});

describe("activeWords", () => {
  it("is silent when nothing is wrong", () => {
    expect(activeWords([], unlimited)).toEqual([]);
  });

  it("names everything that was turned on, here or elsewhere", () => {
    const rules = withSwitch([foreign], "down", true);
    expect(activeWords(rules, { type: "limited", value: 1, total_usage: 1 })).toEqual(["LINE停止", "通数の上限", "ほかの設定"]);
  });
});
