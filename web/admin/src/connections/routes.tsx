import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { callsSearch } from "../calls/search";
import { inside } from "../frame/inside";
import { ListSkeleton } from "../frame/ListSkeleton";
import { ticketsSearch } from "../tickets/search";

const connections = createRoute({
  getParentRoute: () => inside,
  path: "/connections",
  component: lazyRouteComponent(() => import("./ConnectionsPage"), "ConnectionsPage"),
  pendingComponent: ListSkeleton,
});
const calls = createRoute({
  getParentRoute: () => inside,
  path: "/connections/calls",
  component: lazyRouteComponent(() => import("../calls/CallsPage"), "CallsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: callsSearch,
});
const rules = createRoute({
  getParentRoute: () => inside,
  path: "/connections/rules",
  component: lazyRouteComponent(() => import("../escalation/RulesPage"), "RulesPage"),
  pendingComponent: ListSkeleton,
});
const tickets = createRoute({
  getParentRoute: () => inside,
  path: "/tickets",
  component: lazyRouteComponent(() => import("../tickets/TicketsPage"), "TicketsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: ticketsSearch,
});
const ticket = createRoute({
  getParentRoute: () => inside,
  path: "/tickets/$ticketId",
  component: lazyRouteComponent(() => import("../tickets/TicketPage"), "TicketPage"),
  pendingComponent: ListSkeleton,
});

/** How the systems that shops use do. */
export const CONNECTION_ROUTES = [connections] as const;
/** The troubles of the product itself, in every console: an alarm leads here, whatever parts are on. */
export const ALARM_ROUTES = [calls, rules, tickets, ticket] as const;
