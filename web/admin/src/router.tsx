import { createRoute, createRouter, type ErrorComponentProps, type RouterHistory, useRouter } from "@tanstack/react-router";
import { BOOKING_ROUTES, PAYMENT_ROUTES } from "./booking/routes";
import { CONFIG } from "./config";
import { ALARM_ROUTES, CONNECTION_ROUTES } from "./connections/routes";
import { EVENTS_ROUTES } from "./events/routes";
import { Failure } from "./frame/Failure";
import { inside, root, routesOf, useRetry } from "./frame/inside";
import { NotFoundPage } from "./frame/NotFoundPage";
import { PageSkeleton } from "./frame/PageSkeleton";
import { HomePage } from "./home/HomePage";
import { MANAGE_ROUTES } from "./manage/routes";
import { PEOPLE_ROUTES } from "./people/routes";
import { LoginPage } from "./session/LoginPage";
import { loginSearch, safeNext } from "./session/next";
import { SHOPS_ROUTES } from "./shops/routes";
import { THREADS_ROUTES } from "./threads/routes";

const BASE = "/admin";

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: loginSearch,
  component: LoginScreen,
});

function LoginScreen() {
  const { next, out } = login.useSearch();
  const { history } = useRouter();
  return <LoginPage loggedOut={out === true} onSuccess={() => history.replace(BASE + safeNext(next))} />;
}

const home = createRoute({ getParentRoute: () => inside, path: "/", component: HomePage });
// A page nobody knows is still drawn inside the frame, so that the menu leads on from it.
const unknown = createRoute({ getParentRoute: () => inside, path: "$", component: NotFoundPage });

/** The console with the parts that are switched on. */
export function consoleRouter(features: readonly string[], history?: RouterHistory) {
  const pages = [
    home,
    ...routesOf("events", features, EVENTS_ROUTES),
    ...routesOf("scheduling", features, THREADS_ROUTES),
    ...routesOf("booking", features, BOOKING_ROUTES),
    ...routesOf("payments", features, PAYMENT_ROUTES),
    ...routesOf("shops", features, SHOPS_ROUTES),
    ...routesOf("shops", features, CONNECTION_ROUTES),
    ...ALARM_ROUTES,
    ...PEOPLE_ROUTES,
    ...MANAGE_ROUTES,
    unknown,
  ] as const;
  return createRouter({
    routeTree: root.addChildren([login, inside.addChildren(pages)]),
    basepath: BASE,
    defaultPendingMs: 300,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFailure,
    scrollRestoration: true,
    ...(history ? { history } : {}),
  });
}

function PageFailure({ error, reset }: ErrorComponentProps) {
  return <Failure error={error} retry={useRetry(reset)} />;
}

export const router = consoleRouter(CONFIG.features);

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
