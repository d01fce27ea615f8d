import type { FunctionComponent } from "preact";
import { ErrorScreen } from "../../kit/error-screen";
import { lazy } from "../../kit/lazy";
import { Loading } from "../../kit/loading";

/** A screen that most people see once or never. */
export function lazyScreen<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  return lazy(load, {
    loading: () => <Loading />,
    failed: (error, retry) => <ErrorScreen error={error} retry={retry} />,
  });
}
