import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { inside } from "../frame/inside";
import { ListSkeleton } from "../frame/ListSkeleton";
import { membersSearch } from "../members/search";

const audiences = createRoute({
  getParentRoute: () => inside,
  path: "/audiences",
  component: lazyRouteComponent(() => import("../audiences/AudiencesPage"), "AudiencesPage"),
  pendingComponent: ListSkeleton,
});
const audienceMembers = createRoute({
  getParentRoute: () => inside,
  path: "/audiences/$audienceId",
  component: lazyRouteComponent(() => import("../audiences/MembershipPage"), "MembershipPage"),
  pendingComponent: ListSkeleton,
});
const members = createRoute({
  getParentRoute: () => inside,
  path: "/members",
  component: lazyRouteComponent(() => import("../members/MembersPage"), "MembersPage"),
  pendingComponent: ListSkeleton,
  validateSearch: membersSearch,
});
// Friends who are no member yet are a list of the roster; old bookmarks still find it.
const friends = createRoute({
  getParentRoute: () => inside,
  path: "/friends",
  beforeLoad: () => {
    throw redirect({ to: "/members", search: { tab: "friends" }, replace: true });
  },
});

/** The roster is part of every installation. */
export const PEOPLE_ROUTES = [audiences, audienceMembers, members, friends] as const;
