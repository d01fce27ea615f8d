import type { JSX } from "preact";
import { Unsent } from "../../answers/unsent";
import { useSession } from "../../session";

export function UnsentThreads(): JSX.Element {
  return <Unsent sender={useSession().threadAnswers} />;
}
