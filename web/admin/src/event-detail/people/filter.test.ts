import { describe, expect, test } from "vitest";
import { countsOf, peopleCount, type Person } from "../event";
import { filtered } from "./filter";

const named = (name: string, status: Person["status"] = "pending") => ({ name, status }) as Person;
const PEOPLE = [named("山田 太郎", "attend"), named("髙橋　美咲", "absent"), named("Emi Tanaka"), named("ケン")];
const names = (people: Person[]) => people.map((person) => person.name);

describe("filtered", () => {
  test("keeps the order and, without a filter, the list itself", () => {
    expect(filtered(PEOPLE, "all", " ")).toBe(PEOPLE);
    expect(names(filtered(PEOPLE, "pending", ""))).toEqual(["Emi Tanaka", "ケン"]);
  });

  test.each([
    ["山田太郎", ["山田 太郎"]],
    ["美咲", ["髙橋　美咲"]],
    ["ｅｍｉ", ["Emi Tanaka"]],
    ["けん", ["ケン"]],
    ["居ない", []],
  ])("finds %s however it is typed", (words, found) => {
    expect(names(filtered(PEOPLE, "all", words))).toEqual(found);
  });

  test("finds a name by its reading as soon as the readings are known", () => {
    const person = { ...named("髙橋　美咲"), member_id: 4 };
    expect(filtered([person], "all", "タカハシ")).toEqual([]);
    expect(filtered([person], "all", "タカハシ", new Map([[4, "たかはし みさき"]]))).toEqual([person]);
  });

  test("joins both conditions", () => {
    expect(filtered(PEOPLE, "absent", "山田")).toEqual([]);
  });
});

test("countsOf counts every status, and peopleCount says it", () => {
  expect(countsOf(PEOPLE)).toEqual({ attend: 1, absent: 1, pending: 2 });
  expect(peopleCount(1234)).toBe("1,234人");
});
