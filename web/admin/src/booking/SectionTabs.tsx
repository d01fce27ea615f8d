import { Link, type LinkProps, useLocation } from "@tanstack/react-router";
import tabs from "../frame/Tabs.module.css";

interface Section {
  to: NonNullable<LinkProps["to"]>;
  label: string;
}

const BOOKING: readonly Section[] = [
  { to: "/booking", label: "カレンダー" },
  { to: "/booking/day", label: "受付" },
  { to: "/booking/coverage", label: "予約状況" },
  { to: "/booking/types", label: "種類" },
];
const STAFFS: readonly Section[] = [
  { to: "/staffs", label: "職員" },
  { to: "/staffs/import", label: "CSVで登録" },
  { to: "/staffs/departments", label: "部署" },
];
const NOTICES: readonly Section[] = [
  { to: "/notifications", label: "送信の状況" },
  { to: "/notifications/templates", label: "文面" },
];

export function BookingTabs() {
  return <SectionTabs label="予約の画面" sections={BOOKING} />;
}

export function StaffsTabs() {
  return <SectionTabs label="職員の画面" sections={STAFFS} />;
}

export function NoticeTabs() {
  return <SectionTabs label="通知の画面" sections={NOTICES} />;
}

function SectionTabs({ label, sections }: { label: string; sections: readonly Section[] }) {
  const path = useLocation().pathname.replace(/\/$/, "");
  return (
    <nav className={tabs.tabs} aria-label={label}>
      {sections.map((section) => (
        <Link key={section.to} to={section.to} search={{}} activeOptions={{ exact: true, includeSearch: false }} data-on={path === section.to || undefined}>
          {section.label}
        </Link>
      ))}
    </nav>
  );
}
