import type { JSX } from "preact";
import { Unsent } from "../../answers/unsent";
import { useSession } from "../../session";

export function UnsentEvents(): JSX.Element {
  return <Unsent sender={useSession().answers} />;
}
