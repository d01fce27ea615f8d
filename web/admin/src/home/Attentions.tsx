import { Link } from "@tanstack/react-router";
import { DangerIcon, InfoIcon, SuccessIcon, WarningIcon } from "../frame/icons";
import type { Attention } from "./attention";
import classes from "./HomePage.module.css";

const ICONS = { danger: DangerIcon, warning: WarningIcon, info: InfoIcon };

export function Attentions({ found, beginning }: { found: Attention[]; beginning: boolean }) {
  if (found.length === 0 && beginning) return null;
  if (found.length === 0) {
    return (
      <p className={classes.calm}>
        <SuccessIcon />
        いま、気をつけることはありません。
      </p>
    );
  }
  return (
    <section aria-labelledby="home-attention">
      <h2 id="home-attention" className={classes.heading}>
        気をつけること
      </h2>
      <ul className={classes.attentions}>
        {found.map((attention) => (
          <Item key={attention.key} attention={attention} />
        ))}
      </ul>
    </section>
  );
}

function Item({ attention: { tone, title, text, to } }: { attention: Attention }) {
  const Icon = ICONS[tone];
  return (
    <li className={classes.attention} data-tone={tone}>
      <Icon />
      <div>
        <strong>{title}</strong>
        <p>{text}</p>
      </div>
      {(to === "friends" || to === "waiting") && (
        <Link to="/members" search={{ tab: "friends" }} data-screen-only className={classes.go}>
          {to === "waiting" ? "確認する" : "連携する"}
        </Link>
      )}
      {to === "notices" && (
        <Link to="/notifications" search={{}} data-screen-only className={classes.go}>
          通知を見る
        </Link>
      )}
      {to === "tickets" && (
        <Link to="/tickets" search={{}} className={classes.go}>
          チケットを見る
        </Link>
      )}
      {to !== null && typeof to === "object" && "ticket" in to && (
        <Link to="/tickets/$ticketId" params={{ ticketId: String(to.ticket) }} className={classes.go}>
          チケットを見る
        </Link>
      )}
      {to !== null && typeof to === "object" && "thread" in to && (
        <Link to="/threads/$threadId" params={{ threadId: to.thread }} data-screen-only className={classes.go}>
          日程調整を見る
        </Link>
      )}
      {to !== null && typeof to === "object" && "staff" in to && (
        <Link to="/staffs/$staffUid" params={{ staffUid: to.staff }} data-screen-only className={classes.go}>
          職員を見る
        </Link>
      )}
      {to !== null && typeof to === "object" && "event" in to && (
        <Link to="/events/$eventId" params={{ eventId: String(to.event) }} data-screen-only className={classes.go}>
          イベントを見る
        </Link>
      )}
    </li>
  );
}
