import { useCallback, useEffect, useRef, useState } from "react";

const STEP = 150;

/**
 * How many rows of a long list are drawn: those that fit on some screens, and more whenever the empty space after
 * them comes into view. Thousands of rows would take a slow computer seconds, and most are never looked at.
 */
export function useGrowing(total: number, list: unknown) {
  const [drawn, setDrawn] = useState(STEP);
  const watched = useRef<IntersectionObserver | null>(null);
  // Another list begins at its beginning.
  useEffect(() => setDrawn(STEP), [list]);
  const rest = useCallback(
    (element: HTMLElement | null) => {
      watched.current?.disconnect();
      watched.current = null;
      if (element === null || drawn >= total) return;
      // Made anew after each step, because a space that stays in view is told of only once.
      watched.current = new IntersectionObserver(
        (entries) => {
          if (entries.some((entry) => entry.isIntersecting)) setDrawn((before) => before + STEP);
        },
        { rootMargin: "800px" },
      );
      watched.current.observe(element);
    },
    [drawn, total],
  );
  return { drawn: Math.min(drawn, total), left: Math.max(0, total - drawn), rest };
}
