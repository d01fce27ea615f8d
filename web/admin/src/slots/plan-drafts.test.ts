import { describe, expect, test } from "vitest";
import { bulkBody, bulkDraft, bulkErrors, bulkStore, copyBody, copyDraft, copyStore } from "./plan-drafts";

class Memory {
  private readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

const memory = () => new Memory() as unknown as Storage;

describe("the plan of a bulk creation", () => {
  const plan = {
    ...bulkDraft("2026-11-02", 3),
    to: "2026-11-20",
    weekdays: [1, 3],
    times: [{ start: "13:00", minutes: "20" }],
    skipHolidays: false,
    excluded: "2026/11/04、２０２６-11-09",
    shared: { ...bulkDraft("2026-11-02", 3).shared, capacity: "7", status: "published" as const, quotas: [{ departmentId: "3A", seats: "2" }] },
  };

  test("survives a reload with all its fields, for the person who typed it", () => {
    const storage = memory();
    bulkStore.save("jimukyoku", plan, storage);
    expect(bulkStore.load("jimukyoku", storage)).toEqual(plan);
    expect(bulkStore.load("another", storage)).toBeNull();
    bulkStore.forget("jimukyoku", storage);
    expect(bulkStore.load("jimukyoku", storage)).toBeNull();
  });

  test("takes nothing that it does not understand from the storage", () => {
    const storage = memory();
    const write = (stored: unknown) => storage.setItem("tsudoi.slots-draft.jimukyoku", JSON.stringify(stored));
    write({ from: 5, to: "2026-11-20", weekdays: [0, 3, "x"], times: [{ start: 1 }], skipHolidays: "yes", shared: { type: "3", status: "?", capacity: "7", quotas: [null] } });
    const blank = bulkDraft();
    const read = { ...blank, to: "2026-11-20", weekdays: [3], times: [], shared: { ...blank.shared, capacity: "7" } };
    expect(bulkStore.load("jimukyoku", storage)).toEqual(read);
    for (const broken of ["x", 3, null]) {
      write(broken);
      expect(bulkStore.load("jimukyoku", storage)).toBeNull();
    }
  });

  test("becomes the fields of the API once nothing is missing", () => {
    expect(bulkBody(plan)).toMatchObject({ from: "2026-11-02", to: "2026-11-20", weekdays: [1, 3], excludeDates: ["2026-11-04", "2026-11-09"], dryRun: true });
    expect(bulkErrors(bulkDraft())).toEqual({ reservationTypeId: "予約の種類を選んでください" });
    expect(bulkBody(bulkDraft())).toBeNull();
  });
});

describe("a copy", () => {
  test("of a week begins on Mondays, and survives a reload", () => {
    const storage = memory();
    const draft = { ...copyDraft("2026-11-11"), unit: "week" as const, source: "2026-11-05", type: 3, skipHolidays: false };
    copyStore.save("jimukyoku", draft, storage);
    expect(copyStore.load("jimukyoku", storage)).toEqual(draft);
    expect(copyBody(draft)).toEqual({ from: "2026-11-02", to: "2026-11-08", target: "2026-11-09", reservationTypeId: 3, skipHolidays: false, dryRun: true });
    expect(copyBody({ ...draft, target: "" })).toBeNull();
  });
});
