import type { JSX } from "preact";
import { BackLink } from "../../kit/back-link";

/** The list of requests has several addresses: messages in LINE and menus carry the others. */
export const LIST_PATHS = ["/", "/events", "/threads"] as const;

export function BackToList(): JSX.Element {
  return (
    <BackLink to={LIST_PATHS[0]} above={LIST_PATHS}>
      一覧へ
    </BackLink>
  );
}
