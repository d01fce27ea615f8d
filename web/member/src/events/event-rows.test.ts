import { expect, test } from "vitest";
import { inOrder } from "../requests/request";
import type { EventSendState } from "./answers/event-answers";
import { EventRows } from "./event-rows";
import { requestOf } from "./part";
import type { EventRow } from "./shapes";

const IDLE: EventSendState = { kind: "idle" };

function row(id: number, held: string, change: Partial<EventRow> = {}): EventRow {
  const held_at = `2025-${held}T19:00:00+09:00`;
  return { id, title: `行事${id}`, held_at, my_status: "pending", my_responded_at: null, cancelled: false, over: false, ...change };
}

const ordered = (rows: EventRow[]) => inOrder(rows.map((each) => requestOf(each, IDLE)));

test("puts what waits first, then by date, and what is over last with the latest first", () => {
  const rows = [
    row(1, "07-01", { over: true }),
    row(2, "08-01", { over: true }),
    row(3, "09-05", { my_status: "attend" }),
    row(4, "09-30"),
    row(5, "09-10"),
    row(6, "09-01", { cancelled: true }),
  ];
  expect(ordered(rows).map(({ id }) => id)).toEqual([5, 4, 6, 3, 2, 1]);
});

test("an answer moves its event to where the server will put it", () => {
  const list = new EventRows();
  list.record(1, "attend", "2025-09-01T12:00:00+09:00");
  expect(list.rows).toBeNull();
  list.rows = [row(1, "09-10"), row(2, "09-20")];
  list.record(1, "attend", "2025-09-01T12:00:00+09:00");
  expect(ordered(list.rows).map(({ id, state }) => [id, state.label])).toEqual([
    [2, "未回答"],
    [1, "出席"],
  ]);
});

test("an answer that is still on its way is not shown as given", () => {
  const answer = { key: "a", status: "attend", extra_text: null, at: 1 } as const;
  expect(requestOf(row(1, "09-10"), { kind: "sending", answer }).state).toMatchObject({ label: "送信待ち", unanswered: true });
  expect(requestOf(row(1, "09-10", { cancelled: true }), { kind: "sending", answer }).state).toMatchObject({ label: "中止", unanswered: false });
});
