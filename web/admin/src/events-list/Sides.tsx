import classes from "./EventsPage.module.css";

/** Coming or past: two links of one kind, of which one is where one is. */
export function Sides({ past, choose }: { past: boolean; choose: (past: boolean) => void }) {
  return (
    <div className={classes.sides} role="group" aria-label="表示するイベント">
      <button type="button" aria-pressed={!past} onClick={() => choose(false)}>
        これから
      </button>
      <button type="button" aria-pressed={past} onClick={() => choose(true)}>
        過去
      </button>
    </div>
  );
}
