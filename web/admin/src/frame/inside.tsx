import { type AnyRoute, createRootRoute, createRoute, type ErrorComponentProps, Outlet, redirect, useRouter } from "@tanstack/react-router";
import { recallSession } from "../session/actions";
import { session } from "../session/session";
import { FailurePage } from "./Failure";
import { Frame } from "./Frame";

export const root = createRootRoute({ component: Outlet });

/** Everything behind the log-in. Without a session people come back to the page they asked for. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  component: Frame,
  errorComponent: InsideFailure,
  beforeLoad: async ({ location }) => {
    if (await recallSession()) {
      if (session.nextStep === null || location.pathname === "/account") return;
      throw redirect({ to: "/account", replace: true });
    }
    throw redirect({ to: "/login", search: location.href === "/" ? {} : { next: location.href }, replace: true });
  },
});

function InsideFailure({ error, reset }: ErrorComponentProps) {
  return <FailurePage error={error} retry={useRetry(reset)} />;
}

/** Runs the guards again too: the first load may have failed before anybody was known. */
export function useRetry(reset: () => void): () => void {
  const router = useRouter();
  return () => {
    reset();
    void router.invalidate();
  };
}

/**
 * The routes of a part of the product, or none when the part is off: its addresses then show the not-found page. The
 * type says the same in both cases, because links are checked against all routes that the console can have.
 */
export function routesOf<Routes extends readonly AnyRoute[]>(feature: string, features: readonly string[], routes: Routes): Routes {
  return features.includes(feature) ? routes : ([] as readonly AnyRoute[] as Routes);
}
