import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { sandbox } from "../client/sandbox";
import { applyRead } from "../state/live-events";

/** Time for a person to notice that a message is new before it counts as read. */
const GLANCE_MS = 1_500;
const MOSTLY = 0.6;

/** Marks the chat as read while it can be seen: phone on screen, tab in front, no page lying over the chat. */
export function useReading(place: RefObject<HTMLElement | null>, userId: string, unread: number, covered: boolean): void {
  const seen = useOnScreen(place);
  useEffect(() => {
    if (!seen || covered || unread === 0) return;
    const timer = setTimeout(() => {
      sandbox.markRead(userId).then(
        () => applyRead(userId),
        () => {
          // The messages stay unread; the next look at them tries again.
        },
      );
    }, GLANCE_MS);
    return () => clearTimeout(timer);
  }, [seen, covered, unread, userId]);
}

function useOnScreen(place: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(false);
  const [tabInFront, setTabInFront] = useState(!document.hidden);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.some((entry) => entry.intersectionRatio >= MOSTLY)),
      { threshold: [0, MOSTLY] },
    );
    const onTab = () => setTabInFront(!document.hidden);
    if (place.current) observer.observe(place.current);
    document.addEventListener("visibilitychange", onTab);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", onTab);
    };
  }, [place]);
  return inView && tabInFront;
}
