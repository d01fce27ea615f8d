import { Button, NativeSelect, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { Dialog } from "../audiences/Dialog";
import { Badge } from "../booking/Badge";
import { Failure } from "../frame/Failure";
import { Notice } from "../frame/Notice";
import dialogs from "../members/Dialogs.module.css";
import { HAS_SHOPS, shopsQuery } from "../shops/queries";
import { type DryRun, dryRunQuery, type Rule } from "./queries";
import classes from "./Rules.module.css";
import { CHANNEL_NAMES, concernsAll, ruleTitle } from "./words";

/** What a rule would say to whom if the trouble came now. Nothing is sent by it. */
export function TryDialog({ rule, close }: { rule: Rule | null; close: () => void }) {
  // While the dialog fades out it still shows what it was about.
  const last = useRef(rule);
  if (rule !== null) last.current = rule;
  return (
    <Dialog opened={rule !== null} close={close} title="試してみる" size="lg">
      {last.current !== null && <Trial rule={last.current} close={close} />}
    </Dialog>
  );
}

function Trial({ rule, close }: { rule: Rule; close: () => void }) {
  const [shopId, setShopId] = useState<number | null>(null);
  const shops = useQuery(shopsQuery).data?.shops ?? [];
  const { data, error, refetch } = useQuery(dryRunQuery(rule.rule_code, shopId));
  return (
    <div className={dialogs.form}>
      <Notice tone="info" title="確認だけです。何も送りません。">
        「{ruleTitle(rule.rule_code)}」の問題が、いま起きた場合の知らせです。
      </Notice>
      {HAS_SHOPS && !concernsAll(rule.rule_code) && (
        <NativeSelect label="どの店舗の問題として" size="md" value={shopId ?? ""} onChange={(event) => setShopId(Number(event.currentTarget.value) || null)} data-autofocus>
          <option value="">全体（店舗なし）</option>
          {shops.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </NativeSelect>
      )}
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} role="status" aria-label="読み込んでいます" />}
      {data && <Outcome outcome={data} />}
      <div className={dialogs.foot}>
        <Button variant="default" size="md" onClick={close}>
          閉じる
        </Button>
      </div>
    </div>
  );
}

function Outcome({ outcome: { channels, ticket } }: { outcome: DryRun }) {
  return (
    <>
      <p>
        {ticket === null ? (
          "新しいチケットができます。"
        ) : (
          <>
            いまある
            <Link to="/tickets/$ticketId" params={{ ticketId: String(ticket) }}>
              チケット {ticket}
            </Link>
            の回数が増えます。
          </>
        )}
        {channels.length === 0 && "知らせる手段を選んでいないため、だれにも知らせません。"}
      </p>
      <ul className={classes.tried}>
        {channels.map(({ channel, to_masked, text, would_send, why }) => (
          <li key={channel}>
            <h3>
              {CHANNEL_NAMES[channel]}
              <Badge tone={would_send ? "good" : "plain"}>{would_send ? "送ります" : "送りません"}</Badge>
            </h3>
            <p className={classes.why}>
              {why}
              {to_masked !== null && `（宛先：${to_masked}）`}
            </p>
            <pre className={classes.message}>{text}</pre>
          </li>
        ))}
      </ul>
    </>
  );
}
