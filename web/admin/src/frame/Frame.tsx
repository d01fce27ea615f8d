import { Burger } from "@mantine/core";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { type MouseEvent, useEffect, useState } from "react";
import markUrl from "../../../brand/mark.svg";
import { GatherBeforePrint } from "../paper/GatherBeforePrint";
import { ExpiredDialog } from "../session/ExpiredDialog";
import { session } from "../session/session";
import { Account } from "./Account";
import classes from "./Frame.module.css";
import { Navigation } from "./Navigation";

export function Frame() {
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => setOpen(false), [path]);
  return (
    <div className={classes.frame}>
      <a data-screen-only className={classes.skip} href="#main" onClick={skipToMain}>
        本文へ移動
      </a>
      <header data-screen-only className={classes.header}>
        <Burger
          hiddenFrom="sm"
          size="sm"
          opened={open}
          onClick={() => setOpen(!open)}
          aria-label={open ? "メニューを閉じる" : "メニューを開く"}
          aria-expanded={open}
          aria-controls="side"
        />
        <Link to="/" className={classes.brand} activeProps={{}}>
          <img src={markUrl} alt="" width="32" height="32" />
          <span>
            集い <small>管理画面</small>
          </span>
        </Link>
        <div className={classes.headerAccount}>
          <Account />
        </div>
      </header>
      <section id="side" data-screen-only className={classes.side} data-open={open || undefined} aria-label="メニュー">
        {session.nextStep === null && <Navigation />}
        <div className={classes.sideAccount}>
          <Account />
        </div>
      </section>
      <main id="main" tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
      <GatherBeforePrint />
      <ExpiredDialog />
    </div>
  );
}

/** Without the browser's own jump, which the router would take for a move to another page. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
