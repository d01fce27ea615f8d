import { expect, test } from "vitest";
import { digitsOf, newPinTrouble } from "./pin-rules";

test.each([
  ["0000", "同じ数字"],
  ["1234", "並んだ"],
  ["7890", "並んだ"],
  ["3210", "並んだ"],
  ["2580", "よく使われる"],
  ["739", "4桁"],
  ["7391", "いまと同じ"],
])("%s is refused with its reason", (pin, words) => {
  expect(newPinTrouble(pin, "7391")).toContain(words);
});

test("another one is fine", () => {
  expect(newPinTrouble("7392", "7391")).toBe("");
  expect(newPinTrouble("7391", null)).toBe("");
});

test("full-width digits are digits, and everything else is left out", () => {
  expect(digitsOf("７3ー9a1 5", 4)).toBe("7391");
});
