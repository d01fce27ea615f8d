import { expect, test } from "vitest";
import { profileChanges, profileErrors, profileOf } from "./profile";

const BEFORE = { ...profileOf(), staffId: "0012", familyName: "山田", givenName: "太郎", jobTitle: "看護師", departmentId: "3A", sexCode: "1" };

test("only what differs is sent, and an emptied field is null", () => {
  expect(profileChanges(BEFORE, { ...BEFORE, familyName: " 山口 ", sexCode: "" })).toEqual({ familyName: "山口", sexCode: null });
  expect(profileChanges(BEFORE, BEFORE)).toEqual({});
});

test("a number has digits alone, and what is needed is asked for", () => {
  expect(profileErrors(BEFORE)).toEqual({});
  expect(Object.keys(profileErrors({ ...BEFORE, staffId: "１２", jobTitle: " " }))).toEqual(["jobTitle", "staffId"]);
  expect(Object.keys(profileErrors({ ...BEFORE, givenName: "" }))).toEqual(["givenName"]);
  expect(profileErrors({ ...BEFORE, givenName: "" }, { ...BEFORE, givenName: "" })).toEqual({});
});

test("a mail address has two sides, or is empty", () => {
  expect(profileErrors({ ...BEFORE, email: "taro@example.jp" })).toEqual({});
  expect(Object.keys(profileErrors({ ...BEFORE, email: "taro" }))).toEqual(["email"]);
  expect(profileChanges({ ...BEFORE, email: "taro@example.jp" }, { ...BEFORE, email: "" })).toEqual({ email: null });
});
