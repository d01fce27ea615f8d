import { expect, test } from "vitest";
import { draftOf, typeErrors, typeOf } from "./draft";

const draft = { ...draftOf(null), name: "職員健診" };

test("a new type is free, once a year, and sends nothing special", () => {
  expect(typeErrors(draft)).toEqual({});
  expect(typeOf(draft)).toMatchObject({ limitPerYear: 1, priceJpy: null, holdMinutes: 35, refundUntilHours: null, place: null, mailFallback: false, absentFreesYear: false });
});

test("a price is read as people write it", () => {
  expect(typeOf({ ...draft, priceJpy: "３，５００" }).priceJpy).toBe(3500);
  expect(typeOf({ ...draft, priceJpy: "1,234,567" }).priceJpy).toBe(1_234_567);
  expect(typeErrors({ ...draft, priceJpy: "49" })).toEqual({ priceJpy: expect.stringContaining("50円から") });
  expect(typeErrors({ ...draft, priceJpy: "0" })).toHaveProperty("priceJpy");
});

test("a seat is held as long as Stripe keeps its page, but only where there is a price", () => {
  expect(typeErrors({ ...draft, holdMinutes: "29" })).toEqual({});
  expect(typeErrors({ ...draft, priceJpy: "3000", holdMinutes: "29" })).toHaveProperty("holdMinutes");
  expect(typeErrors({ ...draft, priceJpy: "3000", holdMinutes: "1440" })).toEqual({});
});

test("a convenience store does not take every amount", () => {
  expect(typeErrors({ ...draft, priceJpy: "100", konbini: true })).toHaveProperty("konbini");
  expect(typeErrors({ ...draft, priceJpy: "120", konbini: true })).toEqual({});
  expect(typeErrors({ ...draft, priceJpy: "300001", konbini: true })).toHaveProperty("konbini");
});

test("each rule is checked at its field", () => {
  expect(Object.keys(typeErrors({ ...draft, name: " ", limitPerYear: "0", minimumDaysBetween: "x", cancelUntilHours: "", refundUntilHours: "-1" }))).toEqual([
    "name",
    "limitPerYear",
    "minimumDaysBetween",
    "cancelUntilHours",
    "refundUntilHours",
  ]);
});
