import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { asOfSearch } from "../event-detail/eventId";
import { eventNewSearch } from "../event-new/search";
import { eventsSearch } from "../events-list/search";
import { inside } from "../frame/inside";
import { ListSkeleton } from "../frame/ListSkeleton";

const events = createRoute({
  getParentRoute: () => inside,
  path: "/events",
  component: lazyRouteComponent(() => import("../events-list/EventsPage"), "EventsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: eventsSearch,
});
const eventNew = createRoute({
  getParentRoute: () => inside,
  path: "/events/new",
  component: lazyRouteComponent(() => import("../event-new/EventNewPage"), "EventNewPage"),
  pendingComponent: ListSkeleton,
  validateSearch: eventNewSearch,
});
const eventDetail = createRoute({
  getParentRoute: () => inside,
  path: "/events/$eventId",
  component: lazyRouteComponent(() => import("../event-detail/EventDetailPage"), "EventDetailPage"),
  pendingComponent: ListSkeleton,
  validateSearch: asOfSearch,
});
const eventPrint = createRoute({
  getParentRoute: () => inside,
  path: "/events/$eventId/print",
  component: lazyRouteComponent(() => import("../event-detail/PrintPage"), "PrintPage"),
  pendingComponent: ListSkeleton,
});

export const EVENTS_ROUTES = [events, eventNew, eventDetail, eventPrint] as const;
