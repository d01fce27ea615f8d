import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Moment } from "../frame/Moment";
import type { NoticeSummary } from "../notices/queries";
import type { ThreadLine } from "../threads/thread";
import { attentionOf } from "./attention";
import { Attentions } from "./Attentions";
import { ageOf } from "./backup";
import { Figures } from "./Figures";
import { FirstSteps, useFirstSteps } from "./FirstSteps";
import classes from "./HomePage.module.css";
import { HomeSkeleton } from "./HomeSkeleton";
import { NextEvents } from "./NextEvents";
import { OpenThreads } from "./OpenThreads";
import { HAS_EVENTS, type Home, type Overview, type PromotedCall, type Quota } from "./queries";

interface HomeSectionsProps {
  home: Home;
  overview: Overview;
  quota: UseQueryResult<Quota>;
  notices: NoticeSummary | undefined;
  threads: ThreadLine[] | undefined;
  calls: PromotedCall[] | undefined;
  /** Stands below them, beside the last backup. */
  children: ReactNode;
}

export function HomeSections({ home, overview, quota, notices, threads, calls, children }: HomeSectionsProps) {
  const steps = useFirstSteps(home);
  if (steps === undefined) return <HomeSkeleton />;
  return (
    <div className={classes.sections}>
      {steps && <FirstSteps steps={steps} />}
      {/* A new console has steps to take; what is missing is said there, and not a second time as trouble. */}
      <Attentions found={attentionOf({ home, overview, quota: quota.data, notices, threads, calls })} beginning={steps !== null} />
      <div className={classes.asked}>
        {HAS_EVENTS && !(steps && home.next_events.length === 0) && <NextEvents events={home.next_events} />}
        {threads !== undefined && threads.length > 0 && <OpenThreads threads={threads} />}
      </div>
      <Figures home={home} overview={overview} quota={quota} />
      <div className={classes.foot}>
        <LastBackup at={overview.backup.last_at} />
        {children}
      </div>
    </div>
  );
}

function LastBackup({ at }: { at: string | null }) {
  if (at === null) return <p>バックアップは、まだありません</p>;
  return (
    <p>
      最後のバックアップ <Moment at={at} />
      <span className={classes.age}>（{ageOf(at)}）</span>
    </p>
  );
}
