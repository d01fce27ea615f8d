import { useRef } from "react";

/**
 * Lets a thing begin only when it is not under way. A button that is rendered as busy does not do: between the two
 * clicks of a double click nothing is rendered.
 */
export function useSingleFlight(): (begin: () => Promise<unknown>) => void {
  const busy = useRef(false);
  return (begin) => {
    if (busy.current) return;
    busy.current = true;
    const over = () => {
      busy.current = false;
    };
    begin().then(over, over);
  };
}
