import { describe, expect, test } from "vitest";
import type { NavigationItem } from "../../../api/config";
import { menuOf } from "./navigation";

const booking: NavigationItem = { group: "receive", label: "予約", path: "/booking", icon: "booking" };
const scheduling: NavigationItem = { group: "ask", label: "日程調整", path: "/threads", icon: "scheduling" };

const events: NavigationItem[] = [
  { group: "ask", label: "イベント", path: "/events", icon: "events" },
  { group: "people", label: "会員名簿", path: "/members", icon: "members" },
  { group: "people", label: "グループ", path: "/audiences", icon: "audiences" },
  { group: "home", label: "ホーム", path: "/", icon: "home" },
  { group: "manage", label: "操作履歴", path: "/audit", icon: "audit" },
];

const shown = (navigation: readonly NavigationItem[], features: string[]) =>
  menuOf(navigation, features).map(({ heading, items }) => [heading, ...items.map(({ label }) => label)]);

describe("the menu", () => {
  test("has no headings with one part", () => {
    expect(shown(events, ["events"])).toEqual([[null, "ホーム", "イベント", "会員名簿", "グループ", "操作履歴"]]);
    expect(shown([booking], ["booking", "notifications"])).toEqual([[null, "予約"]]);
  });

  test("is grouped with more, whatever the order in which the parts came, and leaves empty groups out", () => {
    expect(shown([booking, ...events, scheduling], ["booking", "events", "scheduling"])).toEqual([
      [null, "ホーム"],
      ["たずねる", "イベント", "日程調整"],
      ["うけつける", "予約"],
      ["ひと", "会員名簿", "グループ"],
      ["管理", "操作履歴"],
    ]);
  });
});
