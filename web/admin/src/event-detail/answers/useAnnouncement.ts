import { useEffect, useRef, useState } from "react";

const QUIET_MS = 10_000;

/**
 * The text for a screen reader. It is empty at first, because the page itself shows the numbers, and it changes at most
 * once in 10 seconds, because a hundred answers in a minute must not be read out one by one.
 */
export function useAnnouncement(text: string): string {
  const [announcement, setAnnouncement] = useState("");
  const first = useRef(text);
  const last = useRef(0);
  useEffect(() => {
    if (text === first.current) return;
    first.current = "";
    const wait = Math.max(1_000, last.current + QUIET_MS - Date.now());
    const timer = setTimeout(() => {
      last.current = Date.now();
      setAnnouncement(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text]);
  return announcement;
}
