import { expect, test } from "vitest";
import { CLOSE, DELETE, newContents, PUBLISH, slotDays, spanText, wordsOf } from "./change";
import { manySearch, planSearch } from "./search";

test("each change has its own words", () => {
  expect([PUBLISH, CLOSE, DELETE, { capacity: 3 }].map((change) => wordsOf(change).action)).toEqual(["公開する", "締め切る", "削除する", "変更する"]);
});

test("new contents are told as people read them, also what becomes empty", () => {
  expect(newContents({ capacity: 1200, bookingStart: "2026-10-01T00:00:00Z", bookingEnd: null, notes: null })).toEqual([
    ["定員", "1,200人"],
    ["受付の開始", "2026/10/01 09:00"],
    ["受付の締め切り", "枠が始まるまで"],
    ["備考", "なし"],
  ]);
  expect(newContents(PUBLISH)).toEqual([]);
});

test("slots are told day by day, with the first begin and the last end", () => {
  const slot = (serviceDateLocal: string, startMinuteOfDay: number, durationMinutes = 30) => ({ serviceDateLocal, startMinuteOfDay, durationMinutes });
  const days = slotDays([slot("2026-11-04", 600), slot("2026-11-02", 570), slot("2026-11-04", 540, 120)]);
  expect(days.map(({ date, slots }) => [date, spanText(slots)])).toEqual([
    ["2026-11-02", "1枠（9:30–10:00）"],
    ["2026-11-04", "2枠（9:00–11:00）"],
  ]);
});

test("an address says which slots are shown, and nothing that is none", () => {
  const good = { from: "2026-11-01", to: "2026-11-30", type: 3, status: "draft", weekdays: "135", fromMinute: 540, toMinute: 0 };
  expect(manySearch(good)).toEqual(good);
  // The router reads digits as numbers.
  expect(manySearch({ weekdays: 135, type: "3", toMinute: "0" })).toEqual({ weekdays: "135", type: 3, toMinute: 0 });
  expect(manySearch({ from: "0002-01-01", to: "2026-02-30", type: -1, status: "open", weekdays: "189", fromMinute: "", toMinute: 1440 })).toEqual({});
  expect(planSearch({ date: "2026-11-01", step: "confirm" })).toEqual({ date: "2026-11-01", step: "confirm" });
  expect(planSearch({ step: "5" })).toEqual({});
});
