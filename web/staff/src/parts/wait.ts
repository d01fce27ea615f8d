import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../../../api/errors";

const LEAST_SECONDS = 3;

/** How long to wait after an error that passes by itself; 0 for all others. */
export function waitSeconds(error: unknown): number {
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return 0;
  return Math.max(error.retryAfterSeconds ?? 0, LEAST_SECONDS);
}

/** Seconds that are left of the wait after an error, counted down. */
export function useWait(error: unknown): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const until = Date.now() + waitSeconds(error) * 1000;
    const look = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    look();
    const timer = setInterval(look, 500);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}
