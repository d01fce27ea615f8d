import type { JSX } from "preact";
import { NotFound as NotFoundScreen } from "../../../kit/not-found";
import { ToList } from "./member-error";

export function NotFound(): JSX.Element {
  return (
    <NotFoundScreen>
      <ToList />
    </NotFoundScreen>
  );
}
