import { expect, test } from "vitest";
import { ApiError } from "../../../api/errors";
import { changesOf, EMPTY, needsPin, serverTroubles, tidied, troubleOf, troublesOf, valuesOf } from "./fields";
import { PROFILE } from "./profile.fixture";

test.each([
  ["dateOfBirth", "1985-4-12", "1985-04-12"],
  ["dateOfBirth", "--", ""],
  ["familyNameKana", "ﾔﾏﾀﾞ ", "ヤマダ"],
  ["givenNameKana", "じゃん・ぽーる", "ジャン・ポール"],
  ["emrPatientId", "００１２", "0012"],
  ["familyName", " 髙﨑 ", "髙﨑"],
  ["email", "ｈａｎａ@example.jp ", "hana@example.jp"],
] as const)("%s: %s is kept as %s", (name, typed, kept) => {
  expect(tidied(name, typed)).toBe(kept);
});

test.each([
  ["dateOfBirth", "1985-2-30", "確かめて"],
  ["dateOfBirth", "85-4-12", "確かめて"],
  ["dateOfBirth", "2099-1-1", "未来"],
  ["dateOfBirth", "", "入力"],
  ["emrPatientId", "12a", "数字"],
  ["familyNameKana", "山田", "カタカナ"],
  ["sexCode", "", "入力"],
  ["email", "hana@", "確かめて"],
  ["email", "hana ko@example.jp", "確かめて"],
] as const)("%s: %s is refused", (name, typed, words) => {
  expect(troubleOf(name, typed, "2026-11-01")).toContain(words);
});

test("a reading and the mail address may stay empty, and a birthday of today is one", () => {
  expect(troubleOf("email", "")).toBe("");
  expect(troubleOf("familyNameKana", "")).toBe("");
  expect(troubleOf("dateOfBirth", "2026-11-1", "2026-11-01")).toBe("");
});

test("only what changed is sent, and a reading can be emptied", () => {
  const values = { ...valuesOf(PROFILE), jobTitle: "主任", familyNameKana: "", dateOfBirth: "1985-4-12" };
  expect(changesOf(PROFILE, ["jobTitle", "familyNameKana", "familyName", "dateOfBirth"], values)).toEqual({
    jobTitle: "主任",
    familyNameKana: null,
    dateOfBirth: "1985-04-12",
  });
});

test("names and the patient id need the PIN, the rest does not", () => {
  expect(needsPin({ jobTitle: "主任", dateOfBirth: "1985-04-12" })).toBe(false);
  expect(needsPin({ givenName: "次郎" })).toBe(true);
  expect(needsPin({ emrPatientId: "12" })).toBe(true);
});

test("every field that is wrong is named", () => {
  expect(Object.keys(troublesOf(["familyName", "sexCode", "familyNameKana"], EMPTY))).toEqual(["familyName", "sexCode"]);
});

test("the server's details stand at their fields", () => {
  const error = new ApiError(409, "EMR_PATIENT_ID_TAKEN", "", [{ field: "emrPatientId", reason: "TAKEN" }], null, null);
  expect(serverTroubles(error)).toEqual({ emrPatientId: expect.stringContaining("すでに使われています") });
});
