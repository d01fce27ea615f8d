import { Skeleton } from "@mantine/core";
import classes from "./EventRows.module.css";

const ROWS = [1, 2, 3, 4];

/** As high as the rows that will take its place. */
export function EventsSkeleton() {
  return (
    <div className={classes.panel} role="status" aria-busy="true" aria-label="読み込んでいます">
      {ROWS.map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={64} />
          <div>
            <Skeleton height={14} width="9rem" mb={10} />
            <Skeleton height={18} width="70%" />
          </div>
          <div>
            <Skeleton height={10} mb={10} />
            <Skeleton height={14} width="80%" />
          </div>
          <Skeleton height={16} width="6rem" />
        </div>
      ))}
    </div>
  );
}
