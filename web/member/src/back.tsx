import type { JSX } from "preact";
import { here, Link } from "./router";

const LISTS = ["/", "/events"];

/** Goes back where the person came from the list, so that it stands where they left it; else opens the list. */
export function BackToList(): JSX.Element {
  return (
    <Link to="/events" class="back" back={LISTS.includes(here().from ?? "")}>
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path d="M15 5l-7 7 7 7" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" />
      </svg>
      一覧へ
    </Link>
  );
}
