import { useCallback, useEffect, useState } from "preact/hooks";
import { here } from "./router";

/** Something that covers the screen. The phone's back button takes it away, as people expect, and not the screen. */
export function useOverlay() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const gone = () => setOpen(false);
    addEventListener("popstate", gone);
    return () => removeEventListener("popstate", gone);
  }, [open]);

  const show = useCallback(() => {
    history.pushState(here(), "");
    setOpen(true);
  }, []);
  const close = useCallback(() => history.back(), []);
  return { open, show, close };
}
