import type { ReactNode } from "react";
import classes from "./Lists.module.css";

/** An empty list says why it is empty and what to do next. */
export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.empty}>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}
