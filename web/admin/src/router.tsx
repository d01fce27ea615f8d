import { createRootRoute, createRoute, createRouter, Outlet, redirect } from "@tanstack/react-router";
import { AuditPage } from "./audit/AuditPage";
import { Failure, FailurePage } from "./frame/Failure";
import { Frame } from "./frame/Frame";
import { NotFoundPage } from "./frame/NotFoundPage";
import { PageSkeleton } from "./frame/PageSkeleton";
import { FriendsPage } from "./friends/FriendsPage";
import { HomePage } from "./home/HomePage";
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
const friends = createRoute({ getParentRoute: () => inside, path: "/friends", component: FriendsPage });
const audit = createRoute({ getParentRoute: () => inside, path: "/audit", component: AuditPage });
// A page nobody knows is still drawn inside the frame, so that the menu leads on from it.
const unknown = createRoute({ getParentRoute: () => inside, path: "$", component: NotFoundPage });

export const router = createRouter({
  routeTree: root.addChildren([login, inside.addChildren([home, friends, audit, unknown])]),
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
