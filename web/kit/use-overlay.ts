import { useCallback, useEffect, useState } from "preact/hooks";
import { goBack, here } from "./router";

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
  return { open, show, close: goBack };
}
