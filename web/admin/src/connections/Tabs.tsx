import { Link, useLocation } from "@tanstack/react-router";
import tabs from "../frame/Tabs.module.css";
import { HAS_SHOPS } from "../shops/queries";

const SECTIONS = [
  ...(HAS_SHOPS ? [{ to: "/connections", label: "つながり" } as const] : []),
  { to: "/connections/calls", label: "呼び出し" },
  { to: "/connections/rules", label: "通知のルール" },
] as const;

export function ConnectionTabs() {
  const path = useLocation().pathname.replace(/\/$/, "");
  return (
    <nav className={tabs.tabs} aria-label="外部との接続の画面">
      {SECTIONS.map(({ to, label }) => (
        <Link key={to} to={to} search={{}} activeOptions={{ exact: true, includeSearch: false }} data-on={path === to || undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
