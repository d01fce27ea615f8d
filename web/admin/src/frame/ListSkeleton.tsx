import { Skeleton } from "@mantine/core";
import classes from "./Lists.module.css";
import table from "./Table.module.css";

const ROWS = [1, 2, 3, 4, 5, 6];

export function ListSkeleton() {
  return (
    <div className={table.panel} role="status" aria-busy="true" aria-label="読み込んでいます">
      {ROWS.map((row) => (
        <div key={row} className={classes.skeletonRow}>
          <Skeleton height={36} circle />
          <Skeleton height={16} width="40%" />
          <Skeleton height={16} width="18%" />
        </div>
      ))}
    </div>
  );
}
