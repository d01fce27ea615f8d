import { Component, type ComponentChildren, type JSX } from "preact";
import { useCallback, useLayoutEffect, useState } from "preact/hooks";
import { Router, type Route } from "./router";
import { Detail } from "./screens/detail";
import { List } from "./screens/list";
import { Loading } from "./screens/loading";
import { NotFound } from "./screens/not-found";
import { Problem } from "./screens/problem";
import { Register } from "./screens/register";
import { type Session, SessionProvider, type Start } from "./session";

const ROUTES: Route[] = [
  { path: "/", screen: List },
  { path: "/events", screen: List },
  { path: "/events/:id", screen: Detail },
  { path: "/register", screen: Register },
];

type State = { kind: "loading" } | { kind: "ready"; session: Session } | { kind: "problem"; error: unknown };

export function App({ start }: { start: Start }): JSX.Element {
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
  if (state.kind === "problem") return <Problem error={state.error} adapter={start.adapter} retry={run} />;
  return (
    <SessionProvider value={state.session}>
      <Boundary>
        <Router routes={ROUTES} notFound={NotFound} />
      </Boundary>
    </SessionProvider>
  );
}

/** A screen that breaks must not leave a blank page behind. */
class Boundary extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state = { error: null as unknown };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  render() {
    if (this.state.error === null) return this.props.children;
    return <Problem error={this.state.error} adapter={null} retry={() => location.reload()} />;
  }
}
