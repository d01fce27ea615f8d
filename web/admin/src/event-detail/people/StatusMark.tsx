import { STATUS_NAMES, type Status } from "../event";
import classes from "./People.module.css";

export function StatusMark({ status }: { status: Status }) {
  return (
    <span className={classes.status} data-status={status}>
      {STATUS_NAMES[status]}
    </span>
  );
}
