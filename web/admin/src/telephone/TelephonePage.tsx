import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import chips from "../frame/Chips.module.css";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import lists from "../frame/Lists.module.css";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { type Call, callsQuery } from "./telephone";
import classes from "./Telephone.module.css";
import { TickButtons } from "./TickButtons";

/** Whom the office has to call, over all parts of the product, and who has called. */
export function TelephonePage() {
  const [open, setOpen] = useState(true);
  const [kind, setKind] = useState<string | null>(null);
  const { data, error, refetch } = useQuery(callsQuery(open));
  const kinds = data?.kinds.filter((one) => one.open > 0 || one.kind === kind) ?? [];
  const items = data?.items.filter((call) => kind === null || call.kind === kind) ?? [];
  return (
    <>
      <PageHeading
        title="電話する方"
        aside={
          items.length > 0 && (
            <Button variant="default" size="sm" onClick={() => window.print()}>
              印刷
            </Button>
          )
        }
      >
        LINEでもメールでも届かない方です。ご本人が回答すると、この一覧から自動で消えます。
      </PageHeading>
      <div className={chips.chips} role="group" aria-label="表示する電話">
        <button type="button" aria-pressed={open} onClick={() => setOpen(true)}>
          これから電話する
        </button>
        <button type="button" aria-pressed={!open} onClick={() => setOpen(false)}>
          済んだものも見る
        </button>
        {kinds.length > 1 &&
          kinds.map((one) => (
            <button key={one.kind} type="button" aria-pressed={kind === one.kind} onClick={() => setKind(kind === one.kind ? null : one.kind)}>
              {one.label} {one.open}
            </button>
          ))}
      </div>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data?.truncated && <Notice tone="info">多いため、はじめの1,000件だけを表示しています。</Notice>}
      {data && items.length === 0 && (
        <div className={lists.empty}>
          <strong>{open ? "いま、電話する方はいません。" : "電話の記録はありません。"}</strong>
        </div>
      )}
      {items.length > 0 && (
        <ul className={classes.calls} aria-label="電話する方">
          {items.map((call) => (
            <Row key={call.id} call={call} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ call }: { call: Call }) {
  return (
    <li className={classes.call}>
      <div>
        <strong>{call.name}</strong>
        {call.phone && (
          <a className={classes.phone} href={`tel:${call.phone.replace(/[^0-9+]/g, "")}`}>
            {call.phone}
          </a>
        )}
        <p>{call.text}</p>
        <small>
          {call.url ? <a href={`/admin${call.url}`}>{call.title}</a> : call.title}・{call.why}・<Moment at={call.since} /> から
        </small>
      </div>
      <TickButtons call={call} name={call.name} />
      {call.done_at === null && <p className={classes.onPaper} data-paper-only>□ 伝えた　□ つながらなかった　メモ：</p>}
    </li>
  );
}
