import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import booking from "../booking/Booking.module.css";
import { ConnectionTabs } from "../connections/Tabs";
import { Failure } from "../frame/Failure";
import { ListSkeleton } from "../frame/ListSkeleton";
import { Notice } from "../frame/Notice";
import { PageHeading } from "../frame/PageHeading";
import { type Rule, rulesQuery } from "./queries";
import { RuleCard } from "./RuleCard";
import { RuleDialog } from "./RuleDialog";
import classes from "./Rules.module.css";
import { TryDialog } from "./TryDialog";
import { ruleTitle } from "./words";

/** Who is told about which trouble, on which channels, and how often at most. */
export function RulesPage() {
  const { data, isPending, error, refetch } = useQuery(rulesQuery);
  const [editing, setEditing] = useState<Rule | "new" | null>(null);
  const [trying, setTrying] = useState<Rule | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const edit = (rule: Rule | "new") => {
    setTold(null);
    setEditing(rule);
  };
  return (
    <>
      <PageHeading
        title="通知のルール"
        aside={
          data && (
            <Button variant="default" onClick={() => edit("new")}>
              ルールを追加
            </Button>
          )
        }
      >
        問題が起きたときに、だれに、どうやって知らせるかを決めます。どの問題でも、チケットは必ずできます。
      </PageHeading>
      <ConnectionTabs />
      <div role="status">
        {told !== null && (
          <Notice tone="success" className={booking.notice}>
            {told}
          </Notice>
        )}
      </div>
      {isPending && <ListSkeleton />}
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      <ul className={classes.rules}>
        {data?.rules.map((rule) => (
          <RuleCard key={rule.rule_code} rule={rule} edit={() => edit(rule)} tryOut={() => setTrying(rule)} />
        ))}
      </ul>
      {data && (
        <RuleDialog
          editing={editing}
          taken={data.rules.map(({ rule_code }) => rule_code)}
          close={() => setEditing(null)}
          done={(code) => setTold(`「${ruleTitle(code)}」のルールを保存しました。`)}
        />
      )}
      <TryDialog rule={trying} close={() => setTrying(null)} />
    </>
  );
}
