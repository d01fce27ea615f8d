import { useCallback, useEffect, useRef, useState } from "react";

const STEP = 150;

/**
 * How many rows of a long list are rendered: those that fit on some screens, and more whenever the empty space after
 * them comes into view. Thousands of rows would take a slow computer seconds, and most are never looked at.
 */
export function useIncrementalRows(total: number, list: unknown) {
  const [rendered, setRendered] = useState(STEP);
  const watched = useRef<IntersectionObserver | null>(null);
  // Another list begins at its beginning.
  useEffect(() => setRendered(STEP), [list]);
  const sentinel = useCallback(
    (element: HTMLElement | null) => {
      watched.current?.disconnect();
      watched.current = null;
      if (element === null || rendered >= total) return;
      // Made anew after each step, because a space that stays in view is result of only runOnce.
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
  return { rendered: Math.min(rendered, total), remaining: Math.max(0, total - rendered), sentinel };
}
