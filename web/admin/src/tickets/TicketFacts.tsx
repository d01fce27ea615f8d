import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import booking from "../booking/Booking.module.css";
import { ruleTitle } from "../escalation/words";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import { HAS_SHOPS } from "../shops/queries";
import { type Action, NoteDialog } from "./NoteDialog";
import type { TicketDetail } from "./queries";
import classes from "./Tickets.module.css";
import { detailsOf } from "./words";

const TOLD: Record<Action, string> = { acknowledge: "対応中にしました。", close: "完了にしました。" };

/** What the trouble is, and the two things that a person does about it. */
export function TicketFacts({ ticket }: { ticket: TicketDetail }) {
  const [asking, setAsking] = useState<Action | null>(null);
  const [told, setTold] = useState<string | null>(null);
  return (
    <section className={booking.card} aria-labelledby="ticket-facts">
      <h2 id="ticket-facts">チケット {ticket.id}</h2>
      <div role="status">
        {told !== null && (
          <Notice tone="success" className={booking.notice}>
            {told}
          </Notice>
        )}
      </div>
      <Facts ticket={ticket} />
      <Technical ticket={ticket} />
      {ticket.status !== "closed" && (
        <div className={classes.buttons}>
          {ticket.status === "open" && (
            <Button size="md" onClick={() => setAsking("acknowledge")}>
              対応中にする
            </Button>
          )}
          <Button size="md" variant={ticket.status === "open" ? "default" : "filled"} onClick={() => setAsking("close")}>
            完了にする
          </Button>
        </div>
      )}
      <NoteDialog ticketId={ticket.id} action={asking} close={() => setAsking(null)} done={(action) => setTold(TOLD[action])} />
    </section>
  );
}

/** The same words as in the alarm, while they are true. A ticket that somebody asked for has only its own title. */
function Meaning({ ticket: { meaning, status } }: { ticket: TicketDetail }) {
  if (!meaning || status === "closed") return null;
  return (
    <>
      <div className={booking.wide}>
        <dt>影響</dt>
        <dd>{meaning.effect}</dd>
      </div>
      <div className={booking.wide}>
        <dt>すること</dt>
        <dd>{meaning.advice}</dd>
      </div>
    </>
  );
}

function Facts({ ticket }: { ticket: TicketDetail }) {
  return (
    <dl className={booking.facts}>
      <Meaning ticket={ticket} />
      {HAS_SHOPS && (
        <div>
          <dt>店舗</dt>
          <dd>
            {ticket.shop_id === null ? (
              "全体"
            ) : (
              <Link to="/shops/$shopId" params={{ shopId: String(ticket.shop_id) }}>
                {ticket.shop_name ?? `店舗 ${ticket.shop_id}`}
              </Link>
            )}
          </dd>
        </div>
      )}
      <div>
        <dt>起きた回数</dt>
        <dd>{ticket.occurrences.toLocaleString("ja-JP")}回</dd>
      </div>
      <div>
        <dt>最初に起きたとき</dt>
        <dd>
          <Moment at={ticket.opened_at} />
        </dd>
      </div>
      <div>
        <dt>最後に起きたとき</dt>
        <dd>
          <Moment at={ticket.last_seen_at} />
        </dd>
      </div>
      {ticket.rule_code !== null && (
        <div className={booking.wide}>
          <dt>通知のルール</dt>
          <dd>
            <Link to="/connections/rules">{ruleTitle(ticket.rule_code)}</Link>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** For whoever looks after the server. */
function Technical({ ticket }: { ticket: TicketDetail }) {
  const facts = [...detailsOf(ticket), ...(ticket.request_id === null ? [] : [["処理の番号", ticket.request_id] as const])];
  if (facts.length === 0) return null;
  return (
    <details className={classes.technical}>
      <summary>システムの担当者のための内容</summary>
      <dl className={booking.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={booking.wide}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
