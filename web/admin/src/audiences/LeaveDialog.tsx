import { Button } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import type { ReactNode } from "react";
import dialogs from "../members/Dialogs.module.css";
import { Dialog } from "./Dialog";

/** Asks before unsaved work is lost: here for a move inside the console, by the browser itself for a closed tab. `children`: what would be lost. */
export function LeaveDialog({ unsaved, children }: { unsaved: boolean; children: ReactNode }) {
  const { status, proceed, reset } = useBlocker({
    // The end of the session leads to the log-in page, and nothing may stand in its way.
    shouldBlockFn: ({ next }) => unsaved && next.pathname !== "/login",
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <Dialog opened={status === "blocked"} close={() => reset?.()} title="保存していない変更があります">
      <div className={dialogs.form}>
        <p>このまま移動すると、{children}は失われます。</p>
        <div className={dialogs.foot}>
          <Button variant="default" size="md" onClick={() => proceed?.()}>
            保存せずに移動
          </Button>
          <Button size="md" data-autofocus onClick={() => reset?.()}>
            この画面に残る
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
