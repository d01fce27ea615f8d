import { describe, expect, test } from "vitest";
import { ApiError, Unreachable } from "../../../../api/errors";
import { newDraft } from "../draft/draft";
import { draftErrors, errorsOfStep, firstStepWithErrors, furthestStep } from "./field-errors";
import { serverFieldErrors, errorText } from "./error-texts";

const NOW = new Date("2027-09-01T12:00:00+09:00");
const PICTURE = { name: "a.jpg", file: new Blob() };
const FINE = { ...newDraft(), title: "理事会", date: "2027-09-10", time: "19:00", everybody: true };

function refusal(...details: [string, string][]): ApiError {
  return new ApiError(400, "INVALID_INPUT", "入力", details.map(([field, reason]) => ({ field, reason })), null, null);
}

describe("what the form finds", () => {
  test("nothing, when all is there", () => {
    expect(draftErrors(FINE, PICTURE, NOW)).toEqual({});
    expect(furthestStep({})).toBe(5);
  });

  test("everything that is missing, and the step it belongs to", () => {
    const errors = draftErrors({ ...newDraft() }, null, NOW);
    expect(errors).toEqual({ title: "REQUIRED", held_at: "REQUIRED", image: "REQUIRED", audiences: "REQUIRED" });
    expect(errorsOfStep(errors, 2)).toEqual({ image: "REQUIRED" });
    expect(firstStepWithErrors(errors)).toBe(1);
    expect(furthestStep({ image: "REQUIRED", audiences: "REQUIRED" })).toBe(2);
  });

  test("texts that are too long, by characters; a memo's name only when there is a memo", () => {
    const long = { ...FINE, title: "🎣".repeat(101), body: "あ".repeat(2001), memoLabel: "い".repeat(21) };
    expect(draftErrors(long, PICTURE, NOW)).toEqual({ title: "TOO_LONG", body: "TOO_LONG" });
    expect(draftErrors({ ...FINE, memo: true, memoLabel: "い".repeat(21) }, PICTURE, NOW)).toEqual({ extra_text_label: "TOO_LONG" });
    expect(draftErrors({ ...FINE, title: "🎣".repeat(100) }, PICTURE, NOW)).toEqual({});
  });

  test("no missing picture while it is still being fetched", () => {
    expect(draftErrors(FINE, undefined, NOW)).toEqual({});
  });
});

describe("what the server refuses", () => {
  test("is led to its field, the first reason of each", () => {
    const error = refusal(["title", "TOO_LONG"], ["target_member_ids.101", "NOT_REACHABLE"], ["target_member_ids.102", "UNKNOWN_MEMBER"], ["image", "BROKEN"]);
    expect(serverFieldErrors(error)).toEqual({ title: "TOO_LONG", target_member_ids: "NOT_REACHABLE", image: "BROKEN" });
    expect(serverFieldErrors(refusal(["query.audience_ids", "UNKNOWN"]))).toEqual({ audiences: "UNKNOWN" });
  });

  test("is no field's business when it names none, or did not come from the server", () => {
    expect(serverFieldErrors(refusal(["Idempotency-Key", "INVALID_FORMAT"]))).toBeNull();
    expect(serverFieldErrors(new Unreachable())).toBeNull();
  });

  test("has Japanese words for every reason, and for those of later versions", () => {
    expect(errorText("held_at", "PAST_DATE")).toContain("過去");
    expect(errorText("image", "TOO_MANY_PIXELS")).toContain("大きすぎる");
    expect(errorText("title", "SOMETHING_NEW")).toBe("入力し直してください");
    expect(errorText("title", undefined)).toBeUndefined();
  });
});
