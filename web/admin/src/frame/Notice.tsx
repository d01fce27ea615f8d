import type { ReactNode } from "react";
import { DangerIcon, InfoIcon, SuccessIcon, WarningIcon } from "./icons";
import classes from "./Notice.module.css";

const ICONS = { info: InfoIcon, success: SuccessIcon, warning: WarningIcon, danger: DangerIcon };

interface NoticeProps {
  tone: keyof typeof ICONS;
  title?: string;
  children: ReactNode;
  /** What support needs to find the matching line in the server's log. */
  requestId?: string | null;
  /** Read out at once by screen readers. */
  alert?: boolean;
  className?: string | undefined;
}

export function Notice({ tone, title, children, requestId, alert = false, className = "" }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={`${classes.notice} ${className}`} data-tone={tone} role={alert ? "alert" : undefined}>
      <Icon />
      <div className={classes.body}>
        {title && <strong className={classes.title}>{title}</strong>}
        <div>{children}</div>
        {requestId && <div className={classes.id}>お問い合わせ番号：{requestId}</div>}
      </div>
    </div>
  );
}
