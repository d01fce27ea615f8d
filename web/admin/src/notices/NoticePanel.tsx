import { Button, Drawer } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { Badge } from "../booking/Badge";
import { Notice } from "../frame/Notice";
import { Timeline } from "../timeline/Timeline";
import classes from "./Notices.module.css";
import type { NoticeCell, NoticeRow, Resendable } from "./queries";
import { KINDS, type NoticeKind } from "./search";
import { StatusBadge } from "./StatusBadge";
import { isUntold, KIND_NAMES, RESERVATION_STATES } from "./words";

interface NoticePanelProps {
  row: NoticeRow | null;
  close: () => void;
  resend: (notice: Resendable) => void;
}

/** Everything about the notices of one reservation: what happened, why, what to do, and the way it took. */
export function NoticePanel({ row, close, resend }: NoticePanelProps) {
  // While the panel slides out it still shows what it was about.
  const last = useRef(row);
  if (row) last.current = row;
  const shown = row ?? last.current;
  return (
    <Drawer opened={row !== null} onClose={close} position="right" size="32rem" title={<strong>{shown?.staff_name}さんの通知</strong>} closeButtonProps={{ "aria-label": "閉じる" }}>
      {shown && (
        <div className={classes.panel}>
          <Reservation row={shown} />
          {!shown.reachable && shown.line_linked && <Notice tone="warning">公式アカウントがブロックされています。LINEで送っても、本人には表示されません。</Notice>}
          {KINDS.map((kind) => (
            <CellDetails key={kind} row={shown} kind={kind} resend={resend} />
          ))}
          <section aria-labelledby="panel-timeline">
            <h2 id="panel-timeline">予約のあゆみ</h2>
            <Timeline reservationId={shown.reservation_id} />
          </section>
        </div>
      )}
    </Drawer>
  );
}

function Reservation({ row }: { row: NoticeRow }) {
  const { name, tone } = RESERVATION_STATES[row.state];
  return (
    <dl className={classes.facts}>
      <div>
        <dt>予約</dt>
        <dd>
          {row.reservation_type_name} <Badge tone={tone}>{name}</Badge>
          <br />
          <span className="figures">{row.begins_at}</span>
          {row.revision > 0 && `（${row.revision}回変更）`}
        </dd>
      </div>
      <div>
        <dt>予約番号</dt>
        <dd className="figures">{row.reservation_id}</dd>
      </div>
      <div>
        <dt>職員</dt>
        <dd>
          <Link to="/staffs/$staffUid" params={{ staffUid: row.staff_uid }}>
            {row.staff_name}
          </Link>
          （<span className="figures">{row.staff_id}</span>）
        </dd>
      </div>
      <div>
        <dt>LINE</dt>
        <dd>{row.line_linked ? "連携しています" : "連携していません"}</dd>
      </div>
    </dl>
  );
}

function CellDetails({ row, kind, resend }: { row: NoticeRow; kind: NoticeKind; resend: (notice: Resendable) => void }) {
  const cell = row.cells[kind];
  const { job_id } = cell;
  const id = `panel-${kind}`;
  return (
    <section className={classes.details} aria-labelledby={id}>
      <div className={classes.detailsHead}>
        <h2 id={id}>{KIND_NAMES[kind]}</h2>
        <StatusBadge status={cell.status} untold={isUntold(cell)} />
        {cell.resendable && job_id !== null && (
          <Button variant="default" size="sm" onClick={() => resend({ row, kind, cell: { ...cell, job_id } })}>
            再送する
          </Button>
        )}
      </div>
      <p>{cell.message}</p>
      <Times cell={cell} />
      {cell.mail && <p className={classes.mail}>メール：{cell.mail.message}</p>}
      {cell.last_error !== null && (
        <details>
          <summary>システムの担当者向けの内容</summary>
          <pre>{cell.last_error}</pre>
        </details>
      )}
    </section>
  );
}

function Times({ cell }: { cell: NoticeCell }) {
  const facts = [
    // The sentence above names the time of a notice that waits.
    ["予定", cell.status === "FAILED" || cell.status === "UNKNOWN" ? cell.scheduled_at : null],
    ["送信", cell.sent_at],
    ["失敗した回数", cell.attempt_count > 0 ? `${cell.attempt_count}回` : null],
  ].filter(([, value]) => value !== null);
  if (facts.length === 0) return null;
  return (
    <dl className={classes.times}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
