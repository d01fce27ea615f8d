import { useEffect, useRef, useState } from "react";

const QUIET_MS = 10_000;

/**
 * The words for a screen reader: nothing at first, because the page itself says them, and later changes at most
 * once in a while, because a hundred answers in a minute must not be read out one by one.
 */
export function useSpoken(words: string): string {
  const [spoken, setSpoken] = useState("");
  const first = useRef(words);
  const last = useRef(0);
  useEffect(() => {
    if (words === first.current) return;
    first.current = "";
    const wait = Math.max(1_000, last.current + QUIET_MS - Date.now());
    const timer = setTimeout(() => {
      last.current = Date.now();
      setSpoken(words);
    }, wait);
    return () => clearTimeout(timer);
  }, [words]);
  return spoken;
}
