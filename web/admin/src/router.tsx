import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from "@tanstack/react-router";
import { AuditPage } from "./audit/AuditPage";
import { auditSearch } from "./audit/search";
import { asOfSearch } from "./event-detail/eventId";
import { eventNewSearch } from "./event-new/search";
import { EventsPage } from "./events-list/EventsPage";
import { eventsSearch } from "./events-list/search";
import { Failure, FailurePage } from "./frame/Failure";
import { Frame } from "./frame/Frame";
import { ListSkeleton } from "./frame/ListSkeleton";
import { NotFoundPage } from "./frame/NotFoundPage";
import { PageSkeleton } from "./frame/PageSkeleton";
import { HomePage } from "./home/HomePage";
import { membersSearch } from "./members/search";
import { recallSession } from "./session/actions";
import { LoginPage } from "./session/LoginPage";
import { loginSearch, safeNext } from "./session/next";

const BASE = "/admin";

const root = createRootRoute({ component: Outlet });

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: loginSearch,
  component: LoginScreen,
});

function LoginScreen() {
  const { next, out } = login.useSearch();
  const goOn = () => router.history.replace(BASE + safeNext(next));
  return <LoginPage loggedOut={out === true} onSuccess={goOn} />;
}

/** Everything behind the log-in. Without a session people come back to the page they asked for. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: Frame,
  errorComponent: ({ error, reset }) => <FailurePage error={error} retry={() => retry(reset)} />,
  beforeLoad: async ({ location }) => {
    if (await recallSession()) return;
    throw redirect({ to: "/login", search: location.href === "/" ? {} : { next: location.href }, replace: true });
  },
});

const home = createRoute({ getParentRoute: () => inside, path: "/", component: HomePage });
const audit = createRoute({ getParentRoute: () => inside, path: "/audit", component: AuditPage, validateSearch: auditSearch });
const events = createRoute({ getParentRoute: () => inside, path: "/events", component: EventsPage, validateSearch: eventsSearch });
// Fetched when it is opened: most visits look something up, and the form is the heaviest page.
const eventNew = createRoute({
  getParentRoute: () => inside,
  path: "/events/new",
  component: lazyRouteComponent(() => import("./event-new/EventNewPage"), "EventNewPage"),
  pendingComponent: ListSkeleton,
  validateSearch: eventNewSearch,
});
const eventDetail = createRoute({
  getParentRoute: () => inside,
  path: "/events/$eventId",
  component: lazyRouteComponent(() => import("./event-detail/EventDetailPage"), "EventDetailPage"),
  pendingComponent: ListSkeleton,
  validateSearch: asOfSearch,
});
const eventPrint = createRoute({
  getParentRoute: () => inside,
  path: "/events/$eventId/print",
  component: lazyRouteComponent(() => import("./event-detail/PrintPage"), "PrintPage"),
  pendingComponent: ListSkeleton,
});
const audiences = createRoute({
  getParentRoute: () => inside,
  path: "/audiences",
  component: lazyRouteComponent(() => import("./audiences/AudiencesPage"), "AudiencesPage"),
  pendingComponent: ListSkeleton,
});
const audienceMembers = createRoute({
  getParentRoute: () => inside,
  path: "/audiences/$audienceId",
  component: lazyRouteComponent(() => import("./audiences/MembershipPage"), "MembershipPage"),
  pendingComponent: ListSkeleton,
});
const members = createRoute({
  getParentRoute: () => inside,
  path: "/members",
  component: lazyRouteComponent(() => import("./members/MembersPage"), "MembersPage"),
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
// A page nobody knows is still drawn inside the frame, so that the menu leads on from it.
const unknown = createRoute({ getParentRoute: () => inside, path: "$", component: NotFoundPage });

export const router = createRouter({
  routeTree: root.addChildren([login, inside.addChildren([home, events, eventNew, eventDetail, eventPrint, audiences, audienceMembers, members, friends, audit, unknown])]),
  basepath: BASE,
  defaultPendingMs: 300,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={() => retry(reset)} />,
  scrollRestoration: true,
});

/** Runs the guards again too: the first load may have failed before anybody was known. */
function retry(reset: () => void): void {
  reset();
  void router.invalidate();
}

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
