import type { ReactNode } from "react";
import classes from "./Booking.module.css";

export type Tone = "good" | "warn" | "bad" | "plain";

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
