import { Button } from "@mantine/core";
import classes from "./Notices.module.css";
import type { NoticeCell, NoticeRow, Resendable } from "./queries";
import type { NoticeKind } from "./search";
import { StatusBadge } from "./StatusBadge";
import { isUntold, KIND_NAMES, reasonText } from "./words";

interface CellSummaryProps {
  row: NoticeRow;
  kind: NoticeKind;
  resend: (notice: Resendable) => void;
}

/** One notice in the table: its state, when, and why in a few words. */
export function CellSummary({ row, kind, resend }: CellSummaryProps) {
  const cell = row.cells[kind];
  const { job_id } = cell;
  return (
    <div className={classes.cell} data-quiet={(cell.status === "DASH" && !isUntold(cell)) || undefined}>
      <StatusBadge status={cell.status} untold={isUntold(cell)} />
      {notes(cell).map((note) => (
        <small key={note}>{note}</small>
      ))}
      {cell.resendable && job_id !== null && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${row.staff_name}さんの「${KIND_NAMES[kind]}」を再送`}
          onClick={() => resend({ row, kind, cell: { ...cell, job_id } })}
        >
          再送
        </Button>
      )}
    </div>
  );
}

function notes(cell: NoticeCell): string[] {
  const { status, reason, scheduled_at, sent_at, attempt_count, reachable, mail } = cell;
  const when = status === "SENT" ? sent_at : status === "PENDING" && scheduled_at !== null ? `${scheduled_at} 予定` : null;
  return [
    when,
    reasonText(reason),
    (status === "FAILED" || status === "UNKNOWN") && attempt_count > 1 ? `${attempt_count}回失敗` : null,
    status === "SENT" && !reachable ? "ブロック中（見られません）" : null,
    mail?.status === "SENT" ? "メールは送信済み" : mail?.status === "FAILED" ? "メールも失敗" : null,
  ].filter((note) => note !== null);
}
