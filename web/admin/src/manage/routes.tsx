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

const admins = createRoute({
  getParentRoute: () => inside,
  path: "/admins",
  component: lazyRouteComponent(() => import("../admins/AdminsPage"), "AdminsPage"),
  pendingComponent: ListSkeleton,
});

const account = createRoute({
  getParentRoute: () => inside,
  path: "/account",
  component: lazyRouteComponent(() => import("../account/AccountPage"), "AccountPage"),
  pendingComponent: ListSkeleton,
});

/** Managing the installation is part of every one. */
export const MANAGE_ROUTES = [admins, account, audit] as const;
