import { describe, expect, test } from "vitest";
import { ApiError } from "../../../../api/errors";
import type { PendingAnswer } from "../../answers/outbox";
import type { EventAnswer } from "../answers/event-answers";
import type { EventDetail } from "../shapes";
import { isOpen } from "./openness";
import { newest, type RecordedAnswer } from "./use-recorded";
import { lineFor, ownWords, recordedWords, refusalWords } from "./words";

const NONE: RecordedAnswer = { status: "pending", memo: "", respondedAt: null };
const COMES: RecordedAnswer = { status: "attend", memo: "", respondedAt: "2025-09-01T12:00:00+09:00" };
const answer: PendingAnswer<EventAnswer> = { key: "a", status: "absent", extra_text: null, at: 1 };

describe("what is recorded", () => {
  test("is said with its time", () => {
    expect(recordedWords(COMES)).toBe("出席で回答済み 2025/09/01 12:00");
    expect(recordedWords({ ...COMES, status: "absent" })).toBe("欠席で回答済み 2025/09/01 12:00");
    expect(recordedWords(NONE)).toBe("まだ回答していません");
  });

  test("is the later of what was read and what was confirmed", () => {
    const event = { my_status: "absent", my_last_extra_text: null, my_responded_at: "2025-09-01T12:00:00+09:00" } as EventDetail;
    const confirmed = { ok: true, current: "attend", extra_text: "遅れます" } as const;
    expect(newest(event, null).status).toBe("absent");
    expect(newest(event, { ...confirmed, responded_at: "2025-09-01T12:00:01+09:00" })).toMatchObject({ status: "attend", memo: "遅れます" });
    expect(newest(event, { ...confirmed, responded_at: "2025-09-01T11:59:59+09:00" }).status).toBe("absent");
  });
});

test('the page does not repeat its title, its time and the stock sentence — found("24.A10")', () => {
  const stock = "出欠のご回答をお願いします。\n詳細・回答は以下のリンクからご確認ください。";
  const own = (body: string | null) => ownWords({ title: "理事会", body });
  expect(own(`「理事会」 12月12日（土）18:00\n${stock}`)).toBe("");
  expect(own(stock)).toBe("");
  expect(own(null)).toBe("");
  expect(own(`「理事会」 12月12日（土）18:00\n${stock}\n持ち物：印鑑`)).toBe("持ち物：印鑑");
  expect(own("「理事会」 の資料は当日配ります。")).toBe("「理事会」 の資料は当日配ります。");
});

describe("the line above the buttons", () => {
  test("never calls an answer recorded that is not", () => {
    expect(lineFor({ kind: "sending", answer }, NONE).text).toBe("「欠席」を送っています…");
    for (const why of ["network", "server", "login"] as const) {
      expect(lineFor({ kind: "waiting", answer, why, kept: true }, COMES).text).toMatch(/^まだ送れていません。.*送/);
    }
    expect(lineFor({ kind: "lapsed", answer }, COMES).text).toContain("もう一度押してください");
    expect(lineFor({ kind: "idle" }, COMES)).toEqual({ tone: "done", text: "出席で回答済み 2025/09/01 12:00" });
  });

  test.each(["EVENT_CANCELLED", "EVENT_OVER", "DEADLINE_PASSED", "NOT_INVITED", "NOT_FOUND", "INVALID_INPUT", "WHATEVER"])(
    "says what %s means",
    (code) => expect(refusalWords(new ApiError(409, code, "", [], null, null))).toContain("記録されませんでした"),
  );
});

describe("an event", () => {
  const open = { cancelled: false, closed: false };

  test("takes answers until it is cancelled or closed", () => {
    expect(isOpen(open)).toBe(true);
    expect(isOpen({ ...open, cancelled: true })).toBe(false);
    expect(isOpen({ ...open, closed: true })).toBe(false);
  });
});
