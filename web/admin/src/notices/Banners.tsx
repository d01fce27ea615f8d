import { Button } from "@mantine/core";
import { readConfig } from "../../../api/config";
import { CommandLine } from "../frame/CommandLine";
import { Notice } from "../frame/Notice";
import { type Alarm, alarmsOf } from "./alarms";
import classes from "./Notices.module.css";
import type { Cause, NoticeSummary } from "./queries";
import type { NoticesSearch } from "./search";
import { count, reasonText } from "./words";

interface BannersProps {
  summary: NoticeSummary;
  resume: () => void;
  resend: (cause: Cause) => void;
  find: (search: NoticesSearch) => void;
}

/** What keeps notices from going out, each with what can be done about it here. */
export function Banners({ summary, ...actions }: BannersProps) {
  const alarms = alarmsOf(summary, new Date());
  if (alarms.length === 0) return null;
  return (
    <div className={classes.banners}>
      {alarms.map((alarm) => (
        <Notice key={alarm.key} tone={alarm.tone} title={alarm.title}>
          {alarm.text}
          <Remedy alarm={alarm} summary={summary} {...actions} />
        </Notice>
      ))}
    </div>
  );
}

function Remedy({ alarm: { key }, summary, resume, resend, find }: BannersProps & { alarm: Alarm }) {
  if (key === "paused") {
    return (
      <div className={classes.remedy}>
        <Button size="sm" onClick={resume}>
          通知を再開する
        </Button>
      </div>
    );
  }
  if (key === "stalled") {
    return (
      <div className={classes.remedy}>
        <p>システムの担当者に連絡してください。サーバーで次のコマンドを実行すると、待っている通知がすぐに送られます。</p>
        <CommandLine command={`${readConfig().command} notifications send`} />
      </div>
    );
  }
  if (key === "missing") {
    return (
      <div className={classes.remedy}>
        <Button variant="default" size="sm" onClick={() => find({ status: "NONE" })}>
          異常のある予約を見る
        </Button>
      </div>
    );
  }
  const causes = summary.causes.filter(({ reason }) => (key === "quota" ? reason === "QUOTA" : key === "failed" && reason !== "QUOTA"));
  return causes.length > 0 && <Causes causes={causes} resend={resend} />;
}

function Causes({ causes, resend }: { causes: Cause[]; resend: (cause: Cause) => void }) {
  return (
    <ul className={classes.causes}>
      {causes.map((cause) => (
        <li key={cause.reason}>
          <span>
            {reasonText(cause.reason)}：{count(cause.count)}
          </span>
          {cause.resendable > 0 ? (
            <Button variant="default" size="sm" onClick={() => resend(cause)}>
              まとめて再送（{count(cause.resendable)}）
            </Button>
          ) : (
            <small>いまは再送できません</small>
          )}
        </li>
      ))}
    </ul>
  );
}
