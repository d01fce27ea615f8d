import type { FunctionComponent } from "preact";
import type { Route } from "../../kit/router";
import type { RequestSource } from "./requests/request";
import type { Session } from "./session";

export interface MemberLink {
  to: string;
  label: string;
  text: string;
}

/** A part of the product (events, scheduling, …) as the member app mounts it. */
export interface MemberPart {
  /** As the server names it in `member_pages`. */
  name: string;
  routes: Route[];
  /** What it asks of this person, on the start page. A part that asks nothing has none. */
  requests?: (session: Session) => RequestSource;
  /** The ways to its screens, below the list of the start page. */
  links?: readonly MemberLink[];
  /** Reminds of answers that have not been sent, on a screen that cannot show the list. */
  Unsent?: FunctionComponent;
}
