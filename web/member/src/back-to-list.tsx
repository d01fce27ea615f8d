import type { JSX } from "preact";
import { BackLink } from "../../kit/back-link";

/** The list of requests has two addresses: old messages in LINE carry the second one. */
export const LIST_PATHS = ["/", "/events"] as const;

export function BackToList(): JSX.Element {
  return (
    <BackLink to={LIST_PATHS[0]} above={LIST_PATHS}>
      一覧へ
    </BackLink>
  );
}
