import type { FunctionComponent, JSX } from "preact";
import { Unreachable } from "../api/errors";
import { useLoad } from "./load";

interface LazyStates {
  loading: () => JSX.Element;
  /** `retry` loads the page again: after an update of the server the old name of the file is gone for good. */
  failed: (error: unknown, retry: () => void) => JSX.Element;
}

/** A part that is loaded when it is first shown, because few people need it. */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>, { loading, failed }: LazyStates): FunctionComponent<P> {
  let known: FunctionComponent<P> | null = null;
  const ask = async () => {
    try {
      return (known ??= await load());
    } catch (cause) {
      throw new Unreachable(cause);
    }
  };
  return function Lazy(props: P) {
    const [state] = useLoad(ask, { known });
    if (state.kind === "loading") return loading();
    if (state.kind === "failed") return failed(state.error, () => location.reload());
    const Part = state.value;
    return <Part {...props} />;
  };
}
