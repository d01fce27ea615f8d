import type { JSX } from "preact";
import { useSender } from "../answers/use-sender";
import { useSession } from "../../session";

/** Where a screen cannot be shown, an answer that still waits must not be forgotten. */
export function Unsent(): JSX.Element | null {
  const count = useSender(useSession().answers).unsent();
  if (count === 0) return null;
  return <p class="say say-warn">まだ送れていない回答が{count}件あります。この電話に残してあり、つながったときに送ります。</p>;
}
