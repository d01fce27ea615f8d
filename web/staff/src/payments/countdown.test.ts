import { expect, test } from "vitest";
import { deadlineText, secondsUntil, shownLeft, spokenLeft } from "./countdown";

const NOW = new Date("2099-10-10T12:00:00+09:00");

test.each([
  [20 * 3600, "あと20時間"],
  [35 * 60, "あと35分"],
  [34 * 60 + 1, "あと35分"],
  [300, "あと5分"],
  [299, "あと4分59秒"],
  [9, "あと9秒"],
])("%i seconds are shown as %s", (seconds, text) => {
  expect(shownLeft(seconds)).toBe(text);
});

test("it is said three times in all", () => {
  const said = Array.from({ length: 35 * 60 + 1 }, (_, passed) => spokenLeft(35 * 60 - passed));
  const changes = said.filter((text, place) => text !== "" && text !== said[place - 1]);
  expect(changes).toEqual([10, 5, 1].map((minutes) => `お支払いの期限まで、あと${minutes}分です。`));
});

test("a deadline of today needs no date", () => {
  expect(deadlineText("2099-10-10T12:35:00+09:00", NOW)).toBe("12:35");
  expect(deadlineText("2099-10-10T15:35:00Z", NOW)).toBe("2099年10月11日（日）00:35");
  expect(secondsUntil("2099-10-10T12:00:01+09:00", NOW.getTime())).toBe(1);
  expect(secondsUntil("2099-10-10T11:00:00+09:00", NOW.getTime())).toBe(0);
});
