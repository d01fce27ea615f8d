import type { JSX } from "preact";
import { useCallback, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { ErrorBoundary } from "../../kit/error-boundary";
import { type Route, Router } from "../../kit/router";
import { LIST_PATHS } from "./back-to-list";
import { EVENTS } from "./events/part";
import type { MemberPart } from "./part";
import { RequestList } from "./requests/request-list";
import { RESERVATIONS } from "./reservations/part";
import { Loading } from "./screens/loading";
import { MemberError } from "./screens/member-error";
import { NotFound } from "./screens/not-found";
import { Register } from "./screens/register";
import { type Session, SessionProvider, type Start } from "./session";
import { SHOPS } from "./shops/part";
import { NotInLine } from "./identity/adapter";
import { lazyScreen } from "./lazy-screen";
import { StaffDoor } from "./staff-door";
import { DOOR_PATHS, isDoor } from "./staff-portal";
import { THREADS } from "./threads/part";

/** Every part of the product that has pages for members. The server says which of them this installation shows. */
const PARTS: readonly MemberPart[] = [EVENTS, THREADS, RESERVATIONS, SHOPS];

// Nobody sees it inside LINE.
const DoorOutside = lazyScreen(async () => (await import("./door-outside")).DoorOutside);

type State = { kind: "loading" } | { kind: "ready"; session: Session } | { kind: "problem"; error: unknown };

export function App({ start, parts = PARTS }: { start: Start; parts?: readonly MemberPart[] }): JSX.Element {
  const [state, setState] = useState<State>({ kind: "loading" });
  const run = useCallback(() => {
    setState({ kind: "loading" });
    start.run().then(
      (session) => setState({ kind: "ready", session }),
      (error: unknown) => setState({ kind: "problem", error }),
    );
  }, [start]);
  // Not after the first painting: on a slow phone that alone costs a tenth of a second before anything is asked.
  useLayoutEffect(run, [run]);

  if (state.kind === "loading") return <Loading />;
  if (state.kind === "problem" && state.error instanceof NotInLine && isDoor(location.pathname)) return <DoorOutside params={{}} />;
  if (state.kind === "problem") return <MemberError error={state.error} adapter={start.adapter} retry={run} />;
  return (
    <SessionProvider value={state.session}>
      <ErrorBoundary fallback={(error) => <MemberError error={error} adapter={null} retry={() => location.reload()} />}>
        <Screens parts={parts.filter(({ name }) => state.session.pages.includes(name))} />
      </ErrorBoundary>
    </SessionProvider>
  );
}

function Screens({ parts }: { parts: readonly MemberPart[] }): JSX.Element {
  const routes = useMemo(() => routesOf(parts), []);
  return <Router routes={routes} notFound={NotFound} />;
}

function routesOf(parts: readonly MemberPart[]): Route[] {
  const Start = () => <RequestList parts={parts} />;
  return [
    ...LIST_PATHS.map((path) => ({ path, screen: Start })),
    ...parts.flatMap(({ routes }) => routes),
    { path: "/register", screen: Register },
    ...DOOR_PATHS.map((path) => ({ path, screen: StaffDoor })),
  ];
}
