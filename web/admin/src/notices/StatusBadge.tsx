import type { FC } from "react";
import { Badge } from "../booking/Badge";
import hidden from "../frame/Hidden.module.css";
import { ClockIcon, DangerIcon, QuestionIcon, SuccessIcon, WarningIcon } from "../frame/icons";
import classes from "./Notices.module.css";
import type { NoticeStatus } from "./search";
import { STATUS_NAMES, STATUS_TONES } from "./words";

const ICONS: Record<Exclude<NoticeStatus, "DASH">, FC> = { PENDING: ClockIcon, SENT: SuccessIcon, FAILED: DangerIcon, UNKNOWN: QuestionIcon, NONE: WarningIcon };

/** A word and a drawing, so that nobody has to tell red from green. A notice that is not needed is a quiet dash; one that nobody got is none. */
export function StatusBadge({ status, untold = false }: { status: NoticeStatus; untold?: boolean }) {
  if (untold) {
    return (
      <Badge tone="warn">
        <span className={classes.status}>
          <WarningIcon />
          知らせていません
        </span>
      </Badge>
    );
  }
  if (status === "DASH") {
    return (
      <span className={classes.dash}>
        <span aria-hidden="true">—</span>
        <span className={hidden.hidden}>{STATUS_NAMES.DASH}</span>
      </span>
    );
  }
  const Icon = ICONS[status];
  return (
    <Badge tone={STATUS_TONES[status]}>
      <span className={classes.status}>
        <Icon />
        {STATUS_NAMES[status]}
      </span>
    </Badge>
  );
}
