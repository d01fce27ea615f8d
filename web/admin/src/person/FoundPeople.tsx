import { Link } from "@tanstack/react-router";
import booking from "../booking/Booking.module.css";
import table from "../frame/Table.module.css";
import classes from "./Person.module.css";
import type { FoundGroup } from "./queries";
import { StateBadge } from "./StateBadge";
import { nameOf } from "./words";

/** The people of one kind. A long list says how long it is, and where the rest is. */
export function FoundPeople({ group, words }: { group: FoundGroup; words: string }) {
  const { kind, label, total, items } = group;
  return (
    <section className={classes.group} aria-labelledby={`found-${kind}`}>
      <h2 id={`found-${kind}`}>
        {label}
        <span className={classes.count}>{total.toLocaleString("ja-JP")}件</span>
      </h2>
      <ul className={`${table.panel} ${classes.people}`}>
        {items.map((item) => (
          <li key={item.id}>
            <Link to="/people/$kind/$id" params={{ kind, id: item.id }} data-person="">
              <span className={classes.name}>
                {nameOf(item)}
                {item.kana && <small>{item.kana}</small>}
              </span>
              <span className={classes.hint}>{[item.contact, ...item.facts.slice(0, 2).map((fact) => `${fact.label} ${fact.value}`)].filter(Boolean).join("・")}</span>
              <StateBadge state={item.state} />
            </Link>
          </li>
        ))}
      </ul>
      {total > items.length && (
        <p className={booking.soft}>
          {items.length.toLocaleString("ja-JP")}件までを表示しています。
          {items.length < 200 ? (
            <Link to="/people" search={{ q: words, kind }}>
              {label}だけをもっと見る
            </Link>
          ) : (
            "文字を足して絞り込んでください。"
          )}
        </p>
      )}
    </section>
  );
}
