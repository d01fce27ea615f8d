import { Button } from "@mantine/core";
import { useCallback, useEffect, useRef, useState } from "react";
import classes from "./Paper.module.css";
import { gatherRest, isUnfinished } from "./printing";

const WORDS = {
  gathering: "印刷のために、一覧の続きを読み込んでいます…",
  failed: "一覧の続きを読み込めなかったため、印刷をやめました。",
};

/**
 * Ctrl+P on a page with a long list first gathers what the list has not shown yet. The print command of the browser's
 * menu cannot be held back: there the paper says that the list goes on.
 */
export function GatherBeforePrint() {
  const [state, setState] = useState<keyof typeof WORDS | null>(null);
  const run = useRef(0);

  const gather = useCallback(async () => {
    const mine = ++run.current;
    setState("gathering");
    const whole = await gatherRest(() => run.current !== mine);
    if (run.current !== mine) return;
    setState(whole ? null : "failed");
    // The dialog opens after the last rows stand there.
    if (whole) requestAnimationFrame(() => setTimeout(() => window.print()));
  }, []);

  const stop = useCallback(() => {
    run.current++;
    setState(null);
  }, []);

  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "p" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (!isUnfinished()) return;
      event.preventDefault();
      if (!event.repeat) void gather();
    }
    window.addEventListener("keydown", pressed);
    return () => {
      window.removeEventListener("keydown", pressed);
      run.current++;
    };
  }, [gather]);

  return (
    <div role="status" data-screen-only className={state === null ? undefined : classes.gathering}>
      {state !== null && (
        <>
          {WORDS[state]}
          {state === "failed" && (
            <Button variant="default" size="sm" onClick={() => void gather()}>
              もう一度
            </Button>
          )}
          <Button variant="subtle" size="sm" onClick={stop}>
            {state === "failed" ? "閉じる" : "やめる"}
          </Button>
        </>
      )}
    </div>
  );
}
