import { Link } from "@tanstack/react-router";
import { AudiencesIcon } from "../audiences/AudiencesIcon";
import { EventsIcon } from "../events-list/EventsIcon";
import { AuditIcon, FriendsIcon, HomeIcon } from "./icons";
import classes from "./Frame.module.css";

const PAGES = [
  { to: "/", label: "ホーム", Icon: HomeIcon },
  { to: "/events", label: "イベント", Icon: EventsIcon },
  { to: "/audiences", label: "グループ", Icon: AudiencesIcon },
  { to: "/members", label: "会員名簿", Icon: FriendsIcon },
  { to: "/audit", label: "操作履歴", Icon: AuditIcon },
] as const;

export function Navigation() {
  return (
    <nav aria-label="メインメニュー">
      <ul className={classes.pages}>
        {PAGES.map(({ to, label, Icon }) => (
          <li key={to}>
            <Link to={to} className={classes.page} activeOptions={{ exact: to === "/" }}>
              <Icon />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
