import { Button } from "@mantine/core";
import { Badge } from "../booking/Badge";
import booking from "../booking/Booking.module.css";
import type { Rule } from "./queries";
import classes from "./Rules.module.css";
import { isSnoozed, recipientsText, ruleText, ruleTitle, SEVERITIES } from "./words";

/** One rule in a sentence, and what can be done with it. */
export function RuleCard({ rule, edit, tryOut }: { rule: Rule; edit: () => void; tryOut: () => void }) {
  const now = new Date();
  const title = ruleTitle(rule.rule_code);
  const { name, tone } = SEVERITIES[rule.severity];
  return (
    <li className={booking.card}>
      <h2 className={classes.title}>{title}</h2>
      <p className={classes.code}>
        {title !== rule.rule_code && <code>{rule.rule_code}</code>}
        <Badge tone={tone}>{name}</Badge>
        {!rule.active && <Badge>無効</Badge>}
        {rule.active && isSnoozed(rule, now) && <Badge tone="warn">一時停止中</Badge>}
        {rule.built_in && <Badge>はじめの設定のまま</Badge>}
      </p>
      <p className={classes.text}>{ruleText(rule, now)}</p>
      {rule.active && rule.channels.length > 0 && <p className={classes.to}>宛先：{recipientsText(rule)}</p>}
      <div className={classes.buttons}>
        <Button variant="default" size="sm" aria-label={`${title}：試してみる`} onClick={tryOut}>
          試してみる
        </Button>
        <Button variant="default" size="sm" aria-label={`${title}：変更する`} onClick={edit}>
          変更する
        </Button>
      </div>
    </li>
  );
}
