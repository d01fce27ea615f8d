import { useEffect, useState } from "react";

const HIDDEN_MS = 60_000;

/**
 * Whether somebody may be looking at the page. A browser allows six connections per server, so that tabs in the
 * background must not hold one; a short visit to another tab changes nothing.
 */
export function useVisible(): boolean {
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setVisible(false), HIDDEN_MS);
      else setVisible(true);
    };
    document.addEventListener("visibilitychange", changed);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", changed);
    };
  }, []);
  return visible;
}
