import { describe, expect, test } from "vitest";
import { sharedDraft, sharedErrors, sharedFields, timeError, timeFields, timesBetween } from "./draft";

const DRAFT = { ...sharedDraft(), type: 3 };

describe("the form of slots", () => {
  test("becomes the fields of the API, with times in Japan", () => {
    const draft = { ...DRAFT, capacity: "１２", bookingStart: "2026-10-01T09:00", notes: " 3階 ", quotas: [{ departmentId: "3A", seats: "2" }] };
    expect(sharedErrors(draft)).toEqual({});
    expect(sharedFields(draft)).toEqual({
      reservationTypeId: 3,
      capacity: 12,
      status: "draft",
      bookingStart: "2026-10-01T09:00:00+09:00",
      bookingEnd: null,
      notes: "3階",
      quotas: [{ departmentId: "3A", seats: 2 }],
    });
  });

  test("says what is missing or the wrong way round", () => {
    expect(Object.keys(sharedErrors({ ...sharedDraft(), capacity: "0" }))).toEqual(["reservationTypeId", "capacity"]);
    expect(Object.keys(sharedErrors({ ...DRAFT, bookingStart: "2026-10-02T09:00", bookingEnd: "2026-10-01T09:00" }))).toEqual(["bookingEnd"]);
    const twice = { departmentId: "3A", seats: "1" };
    expect(sharedErrors({ ...DRAFT, quotas: [twice, twice] })).toEqual({ quotas: "同じ部署が2回あります" });
  });
});

describe("times", () => {
  test("end at midnight at the latest", () => {
    expect(timeError({ start: "23:30", minutes: "30" })).toBeNull();
    expect(timeError({ start: "23:30", minutes: "31" })).toContain("24時");
    expect(timeFields({ start: "09:15", minutes: "15" })).toEqual({ startMinuteOfDay: 555, durationMinutes: 15 });
  });

  test("follow each other between two times", () => {
    expect(timesBetween("09:00", "10:40", "30").map(({ start }) => start)).toEqual(["09:00", "09:30", "10:00"]);
    expect(timesBetween("", "10:00", "30")).toEqual([]);
  });
});
