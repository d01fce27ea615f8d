import { useCallback, useEffect, useRef, useState } from "react";
import { usePrinting } from "../../paper/printing";

const STEP = 150;

/**
 * How many rows of a long list are rendered: those that fit on some screens, and more whenever the empty space after
 * them comes into view. Thousands of rows would take a slow computer seconds, and most are never looked at.
 */
export function useIncrementalRows(total: number, list: unknown) {
  const [rendered, setRendered] = useState(STEP);
  const watched = useRef<IntersectionObserver | null>(null);
  // A different list starts with few rows again.
  useEffect(() => setRendered(STEP), [list]);
  const sentinel = useCallback(
    (element: HTMLElement | null) => {
      watched.current?.disconnect();
      watched.current = null;
      if (element === null || rendered >= total) return;
      // The observer is created again after each step, because it reports an element that stays in view only once.
      watched.current = new IntersectionObserver(
        (entries) => {
          if (entries.some((entry) => entry.isIntersecting)) setRendered((before) => before + STEP);
        },
        { rootMargin: "800px" },
      );
      watched.current.observe(element);
    },
    [rendered, total],
  );
  // On paper nobody scrolls.
  const shown = usePrinting() ? total : Math.min(rendered, total);
  return { rendered: shown, remaining: total - shown, sentinel };
}
