import { expect, test } from "vitest";
import type { EventRow } from "../shapes";
import { EventList, inOrder } from "./event-list";

function row(id: number, held: string, change: Partial<EventRow> = {}): EventRow {
  const held_at = `2025-${held}T19:00:00+09:00`;
  return { id, title: `行事${id}`, held_at, my_status: "pending", my_responded_at: null, cancelled: false, over: false, ...change };
}

test("puts what waits first, then by date, and what is over last with the latest first", () => {
  const rows = [
    row(1, "07-01", { over: true }),
    row(2, "08-01", { over: true }),
    row(3, "09-05", { my_status: "attend" }),
    row(4, "09-30"),
    row(5, "09-10"),
    row(6, "09-01", { cancelled: true }),
  ];
  expect(inOrder(rows).map(({ id }) => id)).toEqual([5, 4, 6, 3, 2, 1]);
});

test("an answer moves its event to where the server will put it", () => {
  const list = new EventList();
  list.record(1, "attend", "2025-09-01T12:00:00+09:00");
  expect(list.rows).toBeNull();
  list.rows = [row(1, "09-10"), row(2, "09-20")];
  list.record(1, "attend", "2025-09-01T12:00:00+09:00");
  expect(list.rows.map(({ id, my_status }) => [id, my_status])).toEqual([
    [2, "pending"],
    [1, "attend"],
  ]);
});
