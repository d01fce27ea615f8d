import { Link } from "@tanstack/react-router";
import booking from "../booking/Booking.module.css";
import { PathLink } from "./PathLink";
import classes from "./Person.module.css";
import type { ShownRecord } from "./queries";
import { StateBadge } from "./StateBadge";
import { KIND_NAMES, nameOf } from "./words";

const ROLES: Record<ShownRecord["role"], string | null> = { self: null, joined: "同じ人と記録", linked: "連携先" };

export function RecordCard({ record }: { record: ShownRecord }) {
  const { kind, id, role } = record;
  const heading = `record-${kind}-${id}`;
  return (
    <section className={booking.card} aria-labelledby={heading}>
      <div className={booking.cardHead}>
        <h2 id={heading} className={classes.recordName}>
          <span className={classes.kind}>{KIND_NAMES[kind]}</span>
          {nameOf(record)}
          {record.kana && <small>{record.kana}</small>}
        </h2>
        <span className={booking.badges}>
          {ROLES[role] && <span className={booking.badge}>{ROLES[role]}</span>}
          <StateBadge state={record.state} />
        </span>
      </div>
      <dl className={booking.facts}>
        {record.contact && <Fact label="メール" value={record.contact} />}
        {record.facts.map(({ label, value }) => (
          <Fact key={label} label={label} value={value} />
        ))}
      </dl>
      <p className={classes.ways}>
        {role !== "self" && (
          <Link to="/people/$kind/$id" params={{ kind, id }}>
            この記録を中心に見る
          </Link>
        )}
        {record.path && <PathLink path={record.path}>{KIND_NAMES[kind]}の画面を開く</PathLink>}
      </p>
    </section>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={classes.value}>{value}</dd>
    </div>
  );
}
