import { useEffect, useState } from "react";

const PATIENCE_MS = 60_000;

/**
 * Whether somebody may be looking. A browser allows a server six connections at a time, so that tabs left open in
 * the background must not hold theirs; a short look at another tab changes nothing.
 */
export function useVisible(): boolean {
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setVisible(false), PATIENCE_MS);
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
