import { useRef } from "react";

/**
 * Starts an action only when no earlier one is running. Disabling the button is not enough, because the page is not
 * drawn between the two clicks of a double click.
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
