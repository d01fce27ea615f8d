import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const NEAR_PX = 60;

/**
 * Keeps a chat at its end when messages arrive, as long as the reader is there. Who reads further up is left in
 * peace and gets `away`, a reason to show a way down. What the person wrote themselves always comes into view.
 */
export function useStickToEnd(newestId: string | undefined, own: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [away, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = place.current;
    if (element) element.scrollTop = element.scrollHeight;
    atEnd.current = true;
    setAway(false);
  }, []);

  useLayoutEffect(() => {
    if (atEnd.current || own) toEnd();
    else setAway(true);
  }, [newestId]);

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const onScroll = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      if (atEnd.current) setAway(false);
    };
    // The room for the chat changes with the rich menu and the keyboard; the end stays in view.
    const observer = new ResizeObserver(() => atEnd.current && toEnd());
    element.addEventListener("scroll", onScroll, { passive: true });
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, []);
  return { place, away, toEnd };
}
