import { Skeleton } from "@mantine/core";
import classes from "./HomePage.module.css";

export function HomeSkeleton() {
  return (
    <div className={classes.sections} aria-busy="true" aria-label="読み込んでいます" role="status">
      <Skeleton height={96} radius="lg" />
      <Skeleton height={340} radius="lg" />
      <Skeleton height={150} radius="lg" />
    </div>
  );
}
