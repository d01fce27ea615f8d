import { expect, test } from "vitest";
import { planDays } from "./plan";

test("a plan is told day by day, with the holidays by their names", () => {
  const slot = { id: null, reservationTypeId: 1, durationMinutes: 30, capacity: 10 };
  const days = planDays({
    slots: [
      { serviceDateLocal: "2026-11-04", startMinuteOfDay: 540, ...slot },
      { serviceDateLocal: "2026-11-04", startMinuteOfDay: 570, ...slot },
    ],
    skipped: [
      { serviceDateLocal: "2026-11-03", startMinuteOfDay: null, reason: "HOLIDAY", name: "文化の日" },
      { serviceDateLocal: "2026-11-04", startMinuteOfDay: 600, reason: "EXISTS", name: null },
    ],
  });
  expect(days).toEqual([
    { date: "2026-11-03", times: [], skipped: ["祝日（文化の日）のため作りません"] },
    { date: "2026-11-04", times: ["9:00", "9:30"], skipped: ["10:00は同じ枠があるため作りません"] },
  ]);
});
