import type { FunctionComponent } from "preact";
import { lazy } from "../../kit/lazy";
import type { Params } from "../../kit/router";
import { Loading } from "./screens/loading";
import { MemberError } from "./screens/member-error";

type ScreenWithParams = FunctionComponent<{ params: Params }>;

/** A screen that is loaded when it is first opened, because most members never need it. */
export function lazyScreen(load: () => Promise<ScreenWithParams>): ScreenWithParams {
  return lazy(load, {
    loading: () => <Loading />,
    failed: (error, retry) => <MemberError error={error} adapter={null} retry={retry} />,
  });
}
