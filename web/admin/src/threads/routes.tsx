import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { asOfSearch } from "../event-detail/eventId";
import { inside } from "../frame/inside";
import { ListSkeleton } from "../frame/ListSkeleton";
import { threadsSearch } from "../threads-list/search";
import { boardSearch, threadNewSearch } from "./search";

const threads = createRoute({
  getParentRoute: () => inside,
  path: "/threads",
  component: lazyRouteComponent(() => import("../threads-list/ThreadsPage"), "ThreadsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: threadsSearch,
});
const threadNew = createRoute({
  getParentRoute: () => inside,
  path: "/threads/new",
  component: lazyRouteComponent(() => import("../thread-new/ThreadNewPage"), "ThreadNewPage"),
  pendingComponent: ListSkeleton,
  validateSearch: threadNewSearch,
});
const board = createRoute({
  getParentRoute: () => inside,
  path: "/threads/$threadId",
  component: lazyRouteComponent(() => import("../thread-board/BoardPage"), "BoardPage"),
  pendingComponent: ListSkeleton,
  validateSearch: boardSearch,
});
const boardPrint = createRoute({
  getParentRoute: () => inside,
  path: "/threads/$threadId/print",
  component: lazyRouteComponent(() => import("../thread-board/BoardPrintPage"), "BoardPrintPage"),
  pendingComponent: ListSkeleton,
  validateSearch: asOfSearch,
});

export const THREADS_ROUTES = [threads, threadNew, board, boardPrint] as const;
