import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { ErrorBoundary } from "../../kit/error-boundary";
import { ErrorScreen } from "../../kit/error-screen";
import { Loading } from "../../kit/loading";
import { Outside } from "./login/outside";
import { lazyScreen } from "./lazy-screen";
import { Marks } from "./session/marks";
import { usePortal } from "./session/use-portal";

const load = () => import("./inside");
// It comes while the server is asked about the session, or while somebody types their PIN.
load().catch(() => {});
const Inside = lazyScreen(async () => (await load()).Inside);
const PinChange = lazyScreen(async () => (await import("./pin/pin-change")).PinChange);

/** The staff portal: one stage after the other. `fetch` is another one in tests. */
export function App({ fetch }: { fetch?: typeof window.fetch }): JSX.Element {
  const marks = useMemo(() => new Marks(), []);
  const portal = usePortal(marks, fetch);
  const { api, stage } = portal;
  switch (stage.kind) {
    case "starting":
      return <Loading />;
    case "failed":
      return <ErrorScreen error={stage.error} retry={portal.start} />;
    case "login":
      return <Outside api={api} notice={stage.notice} onLogin={portal.loggedIn} />;
    case "pin":
      return (
        <PinChange
          api={api}
          currentPin={stage.currentPin}
          title="暗証番号（PIN）を決めてください"
          lead="最初の暗証番号のままでは使えません。あなただけの4桁を決めてください。"
          onDone={portal.pinChanged}
        >
          <button type="button" class="button button-quiet" onClick={() => portal.logOut()}>
            やめてログアウト
          </button>
        </PinChange>
      );
    case "ready":
      return (
        <ErrorBoundary fallback={(error) => <ErrorScreen error={error} retry={() => location.reload()} />}>
          <Inside portal={portal} stage={stage} marks={marks} />
        </ErrorBoundary>
      );
  }
}
