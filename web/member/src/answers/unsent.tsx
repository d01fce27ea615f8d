import type { JSX } from "preact";
import { useSender } from "./use-sender";

interface UnsentProps {
  sender: { unsent: () => number; subscribe: (listener: () => void) => () => void };
}

/** Where a screen cannot be shown, an answer that still waits must not be forgotten. */
export function Unsent({ sender }: UnsentProps): JSX.Element | null {
  const count = useSender(sender).unsent();
  if (count === 0) return null;
  return <p class="say say-warn">まだ送れていない回答が{count}件あります。この電話に残してあり、つながったときに送ります。</p>;
}
