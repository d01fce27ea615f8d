import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

/** What More knows of a list that the server hands out in pieces. */
export interface RestOfList {
  hasNextPage: boolean;
  fetchNextPage: () => Promise<{ hasNextPage: boolean; isError: boolean }>;
}

// Lists beyond this are for a file and not for paper. What is missing then says so on the last sheet.
const MOST_PIECES = 60;

const unfinished = new Set<{ current: RestOfList }>();
const watchers = new Set<() => void>();
let printing = false;

function turn(on: boolean): void {
  printing = on;
  // The browser takes the page as it is when this event ends.
  flushSync(() => watchers.forEach((watch) => watch()));
}

window.addEventListener("beforeprint", () => turn(true));
window.addEventListener("afterprint", () => turn(false));

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/** True while the browser takes the page for paper: what the screen shows in part is then drawn whole. */
export function usePrinting(): boolean {
  return useSyncExternalStore(watch, () => printing);
}

/** Tells the page that a list may have more than is shown. Gives back what ends that. */
export function mayHaveMore(list: { current: RestOfList }): () => void {
  unfinished.add(list);
  return () => unfinished.delete(list);
}

export function isUnfinished(): boolean {
  return [...unfinished].some(({ current }) => current.hasNextPage);
}

/** Gathers the rest of every list of the page. False: the server did not give it, or somebody stopped it. */
export async function gatherRest(stopped: () => boolean): Promise<boolean> {
  for (const { current } of [...unfinished]) {
    let more = current.hasNextPage;
    for (let piece = 0; more && piece < MOST_PIECES; piece++) {
      const { hasNextPage, isError } = await current.fetchNextPage();
      if (isError || stopped()) return false;
      more = hasNextPage;
    }
  }
  return true;
}
