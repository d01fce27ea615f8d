import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { inside } from "../frame/inside";
import { ListSkeleton } from "../frame/ListSkeleton";
import { membersSearch } from "../members/search";
import { peopleSearch } from "../person/search";

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
const person = createRoute({
  getParentRoute: () => inside,
  path: "/people/$kind/$id",
  component: lazyRouteComponent(() => import("../person/PersonPage"), "PersonPage"),
  pendingComponent: ListSkeleton,
});
const drift = createRoute({
  getParentRoute: () => inside,
  path: "/people/drift",
  component: lazyRouteComponent(() => import("../person/DriftPage"), "DriftPage"),
  pendingComponent: ListSkeleton,
});
const people = createRoute({
  getParentRoute: () => inside,
  path: "/people",
  component: lazyRouteComponent(() => import("../person/PeoplePage"), "PeoplePage"),
  pendingComponent: ListSkeleton,
  validateSearch: peopleSearch,
});

const telephone = createRoute({
  getParentRoute: () => inside,
  path: "/telephone",
  component: lazyRouteComponent(() => import("../telephone/TelephonePage"), "TelephonePage"),
  pendingComponent: ListSkeleton,
});

/** The roster is part of every installation. */
export const PEOPLE_ROUTES = [audiences, audienceMembers, members, friends, people, drift, person, telephone] as const;
