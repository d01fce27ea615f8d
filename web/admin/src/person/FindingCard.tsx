import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import booking from "../booking/Booking.module.css";
import { More } from "../frame/More";
import { PathLink } from "./PathLink";
import classes from "./Person.module.css";
import { type Finding, findingQuery, type RecordName } from "./queries";
import { KIND_NAMES, nameOf } from "./words";

/** One finding with the beginning of its list; the rest comes when somebody asks for it. */
export function FindingCard({ finding }: { finding: Finding }) {
  const [whole, setWhole] = useState(false);
  const query = useInfiniteQuery({ ...findingQuery(finding.code), enabled: whole });
  const items = query.data?.pages.flatMap((page) => page.findings[0]?.items ?? []) ?? finding.items;
  const heading = `finding-${finding.code}`;
  return (
    <section className={booking.card} aria-labelledby={heading}>
      <h2 id={heading}>
        {finding.title}
        <span className={classes.count}>{finding.total.toLocaleString("ja-JP")}件</span>
      </h2>
      <p className={classes.advice}>{finding.advice}</p>
      <ul className={classes.list}>
        {items.map(({ record, other, note, path }) => (
          <li key={`${record.kind}:${record.id} ${other?.id ?? ""}`} className={classes.suggestion}>
            <div>
              <Name record={record} />
              {other && (
                <>
                  {" "}
                  と <Name record={other} />
                </>
              )}
              {note && <div className={booking.soft}>{note}</div>}
            </div>
            {!path.startsWith("/people/") && <PathLink path={path}>直す画面へ</PathLink>}
          </li>
        ))}
      </ul>
      {!whole && finding.total > finding.items.length && (
        <>
          <p data-paper-only>はじめの{items.length.toLocaleString("ja-JP")}件だけが載っています。残りも印刷するには、画面で「すべて見る」を押してから印刷してください。</p>
          <Button variant="default" size="sm" mt="md" onClick={() => setWhole(true)} aria-label={`${finding.title}をすべて見る`}>
            すべて見る（{finding.total.toLocaleString("ja-JP")}件）
          </Button>
        </>
      )}
      {whole && <More query={query} />}
    </section>
  );
}

function Name({ record }: { record: RecordName }) {
  return (
    <>
      <span className={classes.kind}>{KIND_NAMES[record.kind]}</span>
      <Link to="/people/$kind/$id" params={{ kind: record.kind, id: record.id }}>
        {nameOf(record)}
      </Link>
    </>
  );
}
