import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { FindingCard } from "./FindingCard";
import { PeopleTabs } from "./PeopleTabs";
import classes from "./Person.module.css";
import { driftQuery } from "./queries";

/** What no longer fits together. Findings with nothing in them are named too: they were looked at. */
export function DriftPage() {
  const { data, error, isPending, refetch } = useQuery(driftQuery);
  const findings = data?.findings ?? [];
  const found = findings.filter(({ total }) => total > 0);
  const fine = findings.filter(({ total }) => total === 0);
  return (
    <>
      <PageHeading title="ずれの点検">記録どうしの食いちがいや、つながらなくなった連携の一覧です。ここで何かが自動で変わることはありません。</PageHeading>
      <PeopleTabs />
      {isPending && <ListSkeleton />}
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {data && found.length === 0 && (
        <Notice tone="success" title="食いちがいはありません">
          すべての項目を点検しました。
        </Notice>
      )}
      {found.map((finding) => (
        <FindingCard key={finding.code} finding={finding} />
      ))}
      {fine.length > 0 && <Fine titles={fine.map(({ title }) => title)} />}
    </>
  );
}

function Fine({ titles }: { titles: string[] }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.fine} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>問題のなかった項目（{titles.length}）</summary>
      <ul>
        {titles.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
    </details>
  );
}
