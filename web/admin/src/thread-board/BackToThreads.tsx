import { Link } from "@tanstack/react-router";
import classes from "./BackToThreads.module.css";

export function BackToThreads() {
  return (
    <Link data-screen-only to="/threads" className={classes.back}>
      ← 日程調整の一覧
    </Link>
  );
}
