import type { FunctionComponent } from "preact";
import type { Route } from "../../kit/router";
import type { RequestSource } from "./requests/request";
import type { Session } from "./session";

/** A part of the product (events, scheduling, …) as the member app mounts it. */
export interface MemberPart {
  /** As the server names it in `member_pages`. */
  name: string;
  routes: Route[];
  requests: (session: Session) => RequestSource;
  /** Reminds of answers that have not been sent, on a screen that cannot show the list. */
  Unsent?: FunctionComponent;
}
