import { Button } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import dialogs from "../members/Dialogs.module.css";
import { Dialog } from "./Dialog";
import { type Changes, inShort } from "./membership";

/** Asks before unsaved ticks are lost: here for a move inside the console, by the browser itself for a closed tab. */
export function LeaveDialog({ unsaved, changes }: { unsaved: boolean; changes: Changes }) {
  const { status, proceed, reset } = useBlocker({
    // The end of the session leads to the log-in page, and nothing may stand in its way.
    shouldBlockFn: ({ next }) => unsaved && next.pathname !== "/login",
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <Dialog opened={status === "blocked"} close={() => reset?.()} title="保存していない変更があります">
      <div className={dialogs.form}>
        <p>
          このまま移動すると、変更（<span className="figures">{inShort(changes)}</span>）は失われます。
        </p>
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
