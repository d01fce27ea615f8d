import { describe, expect, test } from "vitest";
import { inOrder } from "../requests/request";
import type { ThreadSendState } from "./answers/thread-answers";
import { requestOf } from "./part";
import type { ThreadRow } from "./shapes";
import { ROW } from "./thread.fixture";
import { ThreadRows } from "./thread-rows";

const IDLE: ThreadSendState = { kind: "idle" };
const NOW = Date.parse("2099-12-01T00:00:00+09:00");
const stateOf = (change: Partial<ThreadRow>, sendState: ThreadSendState = IDLE) => requestOf({ ...ROW, ...change }, sendState, NOW).state;

describe("a thread in the list", () => {
  test.each<[Partial<ThreadRow>, string, boolean, boolean]>([
    [{}, "未回答", true, false],
    [{ answered: true }, "回答済み", false, false],
    [{ can_answer: false }, "受付終了", false, true],
    [{ status: "cancelled", can_answer: false }, "中止", false, false],
    [{ status: "cancelled", can_answer: false, deadline_at: "2099-11-01T00:00:00+09:00" }, "中止", false, true],
    [{ status: "finalized", can_answer: false, final_start_at: "2099-12-10T14:00:00+09:00", taking_part: true }, "参加", false, false],
    [{ status: "finalized", can_answer: false, final_start_at: "2099-12-10T14:00:00+09:00", taking_part: false }, "決定", false, false],
    [{ status: "finalized", can_answer: false, final_start_at: "2099-11-10T14:00:00+09:00", taking_part: true }, "参加", false, true],
  ])("%o is shown as %s", (change, label, unanswered, over) => {
    expect(stateOf(change)).toMatchObject({ label, unanswered, over });
  });

  test("an answer that is still on its way is not shown as given", () => {
    const answer = { key: "a", at: 1, selected_slot_ids: ["s1"], maybe_slot_ids: [], comment: null };
    expect(stateOf({}, { kind: "sending", answer })).toMatchObject({ label: "送信待ち", unanswered: true });
  });

  test("shows the last day to answer, and then the day that was decided", () => {
    expect(requestOf(ROW, IDLE, NOW)).toMatchObject({ date: ROW.deadline_at, dateLabel: "回答期限", link: `/threads/${ROW.id}` });
    const decided = { ...ROW, status: "finalized", final_start_at: "2099-12-10T14:00:00+09:00" } as const;
    expect(requestOf(decided, IDLE, NOW)).toMatchObject({ date: "2099-12-10T14:00:00+09:00", dateLabel: "決定" });
  });

  test("stands in the order of instants, whatever offset a part writes", () => {
    const early = requestOf({ ...ROW, id: "early", deadline_at: "2099-12-04T00:00:00.000000+00:00" }, IDLE, NOW);
    const event = { ...early, kind: "イベント", id: 7, date: "2099-12-04T10:00:00+09:00" };
    const late = requestOf({ ...ROW, id: "late", deadline_at: "2099-12-04T02:00:00.000000+00:00" }, IDLE, NOW);
    expect(inOrder([late, event, early]).map(({ id }) => id)).toEqual(["early", 7, "late"]);
  });
});

test("an answer counts in the list before the server is asked again", () => {
  const list = new ThreadRows();
  list.record(ROW.id);
  expect(list.rows).toBeNull();
  list.rows = [ROW, { ...ROW, id: "other" }];
  list.record(ROW.id);
  expect(list.rows.map(({ answered }) => answered)).toEqual([true, false]);
});
