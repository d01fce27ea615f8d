import { useEffect, useState } from "preact/hooks";
import type { Sender } from "./sender";

/** Draws the component again whenever an answer moves on. */
export function useSender(sender: Sender): Sender {
  const [, redraw] = useState(0);
  useEffect(() => sender.subscribe(() => redraw((count) => count + 1)), [sender]);
  return sender;
}
