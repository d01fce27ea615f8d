import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { auditSearch } from "../audit/search";
import { inside } from "../frame/inside";
import { ListSkeleton } from "../frame/ListSkeleton";

const audit = createRoute({
  getParentRoute: () => inside,
  path: "/audit",
  component: lazyRouteComponent(() => import("../audit/AuditPage"), "AuditPage"),
  pendingComponent: ListSkeleton,
  validateSearch: auditSearch,
});

/** Managing the installation is part of every one. */
export const MANAGE_ROUTES = [audit] as const;
