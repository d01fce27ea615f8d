import { useEffect, useState } from "react";
import { type ConnectionPhase, followSubject, type LiveHandlers } from "./connection";
import { useVisible } from "./useVisible";

/**
 * Follows the subject behind `path` (such as `/api/admin/events/12/live`) while the page is visible; null follows
 * nothing. The handlers must stay the same object as long as the path does, because a new one reconnects.
 */
export function useLive<T>(path: string | null, handlers: LiveHandlers<T>): ConnectionPhase {
  const [phase, setPhase] = useState<ConnectionPhase>("connecting");
  const visible = useVisible();
  useEffect(() => (visible && path !== null ? followSubject(path, handlers, setPhase) : undefined), [path, visible, handlers]);
  return phase;
}
