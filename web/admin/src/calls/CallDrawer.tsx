import { Drawer, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import booking from "../booking/Booking.module.css";
import { CommandLine } from "../frame/CommandLine";
import { Failure } from "../frame/Failure";
import { Moment } from "../frame/Moment";
import { CallList } from "./CallList";
import classes from "./Calls.module.css";
import { callQuery, requestQuery } from "./queries";
import type { CallsSearch } from "./search";
import { channelName, durationText, resultOf, targetName } from "./words";

/** One call: what was sent, what came back, and the other calls of the same request. */
export function CallDrawer({ id, search, close }: { id: number | null; search: CallsSearch; close: () => void }) {
  // While the drawer slides out it still shows what it was about.
  const last = useRef(id);
  if (id !== null) last.current = id;
  const shown = id ?? last.current;
  return (
    <Drawer opened={id !== null} onClose={close} position="right" size="34rem" title={<strong>呼び出し</strong>} closeButtonProps={{ "aria-label": "閉じる" }}>
      {shown !== null && <OneCall key={shown} id={shown} search={search} />}
    </Drawer>
  );
}

function OneCall({ id, search }: { id: number; search: CallsSearch }) {
  const { data: call, error, refetch } = useQuery(callQuery(id));
  if (error && !call) return <Failure error={error} retry={() => void refetch()} />;
  if (!call) return <Skeleton height={240} role="status" aria-label="読み込んでいます" />;
  const facts: [string, string | null][] = [
    ["相手", targetName(call.target)],
    ["結果", resultOf(call).name],
    ["かかった時間", durationText(call.latency_ms)],
    ["店舗", call.shop_name],
    ["どこから", call.channel === null ? null : channelName(call.channel)],
  ];
  // These are long words without a place to break.
  const codes: [string, string | null][] = [
    ["部品", call.component],
    ["理由", call.error],
    ["コード", call.error_code],
    ["相手の番号", call.external_request_id],
  ];
  return (
    <>
      <p className={classes.when}>
        <Moment at={call.created_at} />
      </p>
      <dl className={booking.facts}>
        <Facts facts={facts} />
        <Facts facts={codes} className={booking.wide} />
      </dl>
      <h3 className={classes.heading}>送ったもの</h3>
      <pre className={classes.body} tabIndex={0} role="region" aria-label="送ったもの">
        {call.method} {call.url}
        {call.request_body !== null && `\n\n${call.request_body}`}
      </pre>
      <h3 className={classes.heading}>返ってきたもの</h3>
      <pre className={classes.body} tabIndex={0} role="region" aria-label="返ってきたもの">
        {call.response_body ?? "（本文はありません）"}
      </pre>
      <p className={classes.note}>名前・メールアドレス・電話番号・鍵は、記録するときに伏せています。</p>
      <CommandLine command={call.curl} />
      {call.request_id !== null && <SameRequest requestId={call.request_id} current={id} search={search} />}
    </>
  );
}

function Facts({ facts, className }: { facts: readonly [string, string | null][]; className?: string | undefined }) {
  return facts
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => (
      <div key={name} className={className}>
        <dt>{name}</dt>
        <dd className={classes.value}>{value}</dd>
      </div>
    ));
}

function SameRequest({ requestId, current, search }: { requestId: string; current: number; search: CallsSearch }) {
  const { data: calls } = useQuery(requestQuery(requestId));
  return (
    <>
      <h3 className={classes.heading}>同じ処理の呼び出し</h3>
      <p className={classes.note}>処理の番号 {requestId}</p>
      {calls === undefined ? <Skeleton height={80} role="status" aria-label="読み込んでいます" /> : <CallList calls={calls} search={search} current={current} />}
    </>
  );
}
