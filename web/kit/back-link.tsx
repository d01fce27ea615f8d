import type { ComponentChildren, JSX } from "preact";
import { here, Link } from "./router";

interface BackLinkProps {
  to: string;
  /** The paths of the screen above. Whoever came from one of them goes back in the history and finds it as they left it. */
  above?: readonly string[];
  children: ComponentChildren;
}

export function BackLink({ to, above = [to], children }: BackLinkProps): JSX.Element {
  return (
    <Link to={to} class="back" back={above.includes(here().from ?? "")}>
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path d="M15 5l-7 7 7 7" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" />
      </svg>
      {children}
    </Link>
  );
}
