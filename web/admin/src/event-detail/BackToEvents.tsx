import { Link } from "@tanstack/react-router";
import classes from "./EventDetail.module.css";

export function BackToEvents() {
  return (
    <Link data-screen-only to="/events" className={classes.back}>
      ← イベントの一覧
    </Link>
  );
}
