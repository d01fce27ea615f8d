// @vitest-environment happy-dom
import { describe, expect, test, vi } from "vitest";
import { ApiError, Unreachable } from "../../../../api/errors";
import { newDraft } from "../draft/draft";
import { progressOf, progressText } from "./progress";
import { formOf, isSentAlready, isUncertain, type CreatedEvent, sendUntilAnswered } from "./send";

const MADE: CreatedEvent = { event_id: 5, targets: 2, push: { success: 0, fail: 0, unknown: 0, pending: 2 } };
const inFlight = () => new ApiError(409, "IN_FLIGHT", "", [], null, 1);

describe("sending", () => {
  test("waits while the same is being sent, and takes its answer", async () => {
    const send = vi.fn<() => Promise<CreatedEvent>>().mockRejectedValueOnce(inFlight()).mockRejectedValueOnce(inFlight()).mockResolvedValue(MADE);
    const wait = vi.fn(async () => {});
    expect(await sendUntilAnswered(send, wait)).toBe(MADE);
    expect(wait.mock.calls).toEqual([[1000], [1000]]);
  });

  test("gives up after the server would have", async () => {
    let clock = 0;
    const wait = async () => {
      clock += 60_000;
    };
    await expect(sendUntilAnswered(() => Promise.reject(inFlight()), wait, () => clock)).rejects.toMatchObject({ code: "IN_FLIGHT" });
    expect(clock).toBe(180_000);
  });

  test("passes every other failure on at once", async () => {
    const send = vi.fn<() => Promise<CreatedEvent>>().mockRejectedValue(new Unreachable());
    await expect(sendUntilAnswered(send)).rejects.toBeInstanceOf(Unreachable);
    expect(send).toHaveBeenCalledOnce();
  });

  test("knows when nobody knows", () => {
    expect([new Unreachable(), inFlight(), new ApiError(500, "INTERNAL", "", [], null, null)].every(isUncertain)).toBe(true);
    expect(isUncertain(new ApiError(400, "INVALID_INPUT", "", [], null, null))).toBe(false);
    expect(isSentAlready(new ApiError(422, "IDEMPOTENCY_KEY_REUSED", "", [], null, null))).toBe(true);
  });

  test("fills in the form as the server reads it", () => {
    const draft = { ...newDraft(), title: " 理事会 ", date: "2027-09-10", time: "19:00", memo: true, memoLabel: " " };
    const form = formOf(draft, { name: "案内.jpg", file: new Blob(["x"]) }, { memberIds: [101, 102], overQuota: false });
    const { image, ...fields } = Object.fromEntries(form.entries());
    expect(fields).toEqual({
      title: "理事会",
      held_at: "2027-09-10T19:00:00+09:00",
      body: draft.body,
      extra_text_enabled: "true",
      extra_text_label: "備考",
      extra_text_attend_only: "true",
      target_member_ids: "[101,102]",
      confirm_over_quota: "false",
    });
    expect(image).toBeInstanceOf(Blob);
  });
});

describe("the progress", () => {
  const of = (success: number, fail: number, unknown: number, pending: number) =>
    progressOf({ targets_total: 50, push: { success, fail, unknown, pending } });

  test("says how many have it, and what went wrong", () => {
    expect(progressText(of(0, 0, 0, 50))).toBe("50人に送信しています");
    expect(progressText(of(20, 0, 0, 30))).toBe("50人のうち20人に送信しました");
    expect(progressText(of(50, 0, 0, 0))).toBe("50人に送信しました");
    expect(progressText(of(47, 2, 1, 0))).toBe("50人のうち47人に送信しました（失敗 2人・確認できない方 1人）");
  });

  test("is over when nobody waits, and not before anything has begun", () => {
    expect([of(50, 0, 0, 0).done, of(20, 0, 0, 30).done, progressOf({ targets_total: 50, push: null }).done]).toEqual([true, false, false]);
    expect(of(20, 5, 0, 25).percent).toBe(50);
  });
});
