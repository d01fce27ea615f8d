// @vitest-environment happy-dom
import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { gatherRest, isUnfinished, mayHaveMore, type RestOfList, usePrinting } from "./printing";

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** A list of so many pieces, the first of which is there. */
function listOf(pieces: number): RestOfList & { there: number } {
  const list = {
    there: 1,
    hasNextPage: pieces > 1,
    fetchNextPage: vi.fn(async () => {
      list.there++;
      list.hasNextPage = list.there < pieces;
      return { hasNextPage: list.hasNextPage, isError: false };
    }),
  };
  ends.push(mayHaveMore({ current: list }));
  return list;
}

test("gathers the rest of every list of the page, and leaves whole ones alone", async () => {
  const [long, short, whole] = [listOf(7), listOf(2), listOf(1)];
  expect(isUnfinished()).toBe(true);
  expect(await gatherRest(() => false)).toBe(true);
  expect([long.there, short.there, whole.there]).toEqual([7, 2, 1]);
  expect(isUnfinished()).toBe(false);
});

test("ends where somebody stops it, and where the server does not answer", async () => {
  const stopped = listOf(7);
  expect(await gatherRest(() => stopped.there >= 3)).toBe(false);
  expect(stopped.there).toBe(3);
  stopped.fetchNextPage = async () => ({ hasNextPage: true, isError: true });
  expect(await gatherRest(() => false)).toBe(false);
});

test("does not gather for ever", async () => {
  const endless = listOf(Number.POSITIVE_INFINITY);
  expect(await gatherRest(() => false)).toBe(true);
  expect(endless.there).toBe(61);
});

test("a list that has left the page is not gathered", async () => {
  const list = listOf(3);
  ends.splice(0).forEach((end) => end());
  expect(isUnfinished()).toBe(false);
  await gatherRest(() => false);
  expect(list.there).toBe(1);
});

test("what is drawn in part is whole before the browser takes the page, and in part again afterwards", () => {
  const Rows = () => <p>{usePrinting() ? "170人" : "150人"}</p>;
  render(<Rows />);
  act(() => void window.dispatchEvent(new Event("beforeprint")));
  expect(screen.getByText("170人")).toBeDefined();
  act(() => void window.dispatchEvent(new Event("afterprint")));
  expect(screen.getByText("150人")).toBeDefined();
});
