import { Link, useLocation } from "@tanstack/react-router";
import tabs from "../frame/Tabs.module.css";

const PAGES = [
  { to: "/people", label: "人を調べる" },
  { to: "/people/drift", label: "ずれの点検" },
] as const;

export function PeopleTabs() {
  const path = useLocation().pathname.replace(/\/$/, "");
  return (
    <nav className={tabs.tabs} aria-label="人を調べる画面">
      {PAGES.map(({ to, label }) => (
        <Link key={to} to={to} search={{}} activeOptions={{ exact: true, includeSearch: false }} data-on={path === to || undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
