import { useEffect, useState } from "preact/hooks";
import { type Idle, idleAt } from "./idle";
import type { Marks } from "./marks";

const TOUCHES = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

/**
 * Counts the time since somebody touched the page, in any tab. While the warning stands, only "続ける" counts: a sleeve on
 * the touch screen is no answer.
 */
export function useIdle(marks: Marks, watched: boolean, onOver: () => void): Idle {
  const [idle, setIdle] = useState<Idle>({ kind: "active" });
  const warned = idle.kind === "warning";
  useEffect(() => {
    if (!watched || warned) return;
    const touch = () => marks.touch();
    for (const name of TOUCHES) addEventListener(name, touch, { passive: true });
    return () => {
      for (const name of TOUCHES) removeEventListener(name, touch);
    };
  }, [watched, warned]);
  useEffect(() => {
    if (!watched) return;
    const look = () => {
      const found = idleAt(marks.lastTouch(), Date.now());
      setIdle((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
      if (found.kind === "over") onOver();
    };
    const timer = setInterval(look, 1000);
    // Timers stand still while a PC sleeps.
    addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      removeEventListener("visibilitychange", look);
    };
  }, [watched]);
  return watched ? idle : { kind: "active" };
}
