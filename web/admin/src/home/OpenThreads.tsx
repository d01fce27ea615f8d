import { Link } from "@tanstack/react-router";
import { ThreadRows } from "../threads-list/ThreadRows";
import type { ThreadLine } from "../threads/thread";
import classes from "./HomePage.module.css";

const MOST_SHOWN = 5;

/** Dates that are being looked for stand beside the events that have one: both are what the office waits to hear about. */
export function OpenThreads({ threads }: { threads: ThreadLine[] }) {
  return (
    <section aria-labelledby="home-threads">
      <div className={classes.title}>
        <h2 id="home-threads" className={classes.heading}>
          回答を集めている日程調整
        </h2>
        <Link to="/threads">すべて見る</Link>
      </div>
      <ThreadRows threads={threads.slice(0, MOST_SHOWN)} fading={false} />
    </section>
  );
}
