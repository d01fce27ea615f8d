import { Checkbox, NativeSelect, Switch, TextInput } from "@mantine/core";
import classes from "../booking/Booking.module.css";
import type { FieldErrors } from "../booking/forms";
import { dayAndTime } from "../event-detail/times";
import dialogs from "../members/Dialogs.module.css";
import { RECIPIENTS, type RuleDraft } from "./draft";
import type { Channel } from "./queries";
import rules from "./Rules.module.css";
import { CHANNEL_NAMES, CHANNELS, ruleTitle, SEVERITIES, type Severity } from "./words";

interface RuleFieldsProps {
  draft: RuleDraft;
  change: (draft: RuleDraft) => void;
  errors: FieldErrors;
}

type TextName = "rule_code" | "chatwork_room_id" | "email_to" | "sms_to" | "throttle_minutes" | "snoozed_until";
type SwitchName = "active" | "fallback" | "quiet_hours";

/** What every field of the form has in common. */
function bound({ draft, change, errors }: RuleFieldsProps) {
  return {
    text: (name: TextName) => ({
      size: "md" as const,
      autoComplete: "off",
      value: draft[name],
      error: errors[name],
      onChange: (event: { currentTarget: { value: string } }) => change({ ...draft, [name]: event.currentTarget.value }),
    }),
    onOff: (name: SwitchName) => ({
      checked: draft[name],
      onChange: (event: { currentTarget: { checked: boolean } }) => change({ ...draft, [name]: event.currentTarget.checked }),
    }),
  };
}

const LATIN = { autoCapitalize: "none", spellCheck: false } as const;

export function RuleFields({ isNew, ...props }: RuleFieldsProps & { isNew: boolean }) {
  const { draft, change } = props;
  const { text, onOff } = bound(props);
  return (
    <>
      {isNew ? (
        <TextInput {...text("rule_code")} {...LATIN} label="ルールのコード" description="問題を知らせるプログラムが使うコードと、同じにします。" placeholder="例：DOOR_OFFLINE" maxLength={64} data-autofocus />
      ) : (
        <p className={dialogs.who}>
          <strong>{ruleTitle(draft.rule_code)}</strong>
        </p>
      )}
      <NativeSelect label="重要度" size="md" value={draft.severity} onChange={(event) => change({ ...draft, severity: event.currentTarget.value as Severity })}>
        {Object.entries(SEVERITIES).map(([severity, { name }]) => (
          <option key={severity} value={severity}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <Switch {...onOff("active")} label="このルールで知らせる" description="切ると、チケットを作るだけになります。" />
    </>
  );
}

const RECIPIENT_FIELDS: Record<Channel, { label: string; description: string; type: string }> = {
  chatwork: { label: "ChatWorkのルームID", description: "空なら、サーバーの設定にあるルームに知らせます。", type: "text" },
  email: { label: "メールの宛先", description: "「,」で区切って、10件まで。", type: "text" },
  sms: { label: "SMSの宛先（電話番号）", description: "「,」で区切って、10件まで。", type: "tel" },
};

export function ChannelFields(props: RuleFieldsProps) {
  const { draft, change, errors } = props;
  const { text, onOff } = bound(props);
  const toggle = (channel: Channel, on: boolean) => change({ ...draft, channels: CHANNELS.filter((one) => (one === channel ? on : draft.channels.includes(one))) });
  return (
    <fieldset className={classes.group}>
      <legend>知らせる手段</legend>
      {CHANNELS.map((channel) => (
        <div key={channel} className={rules.channel}>
          <Checkbox label={CHANNEL_NAMES[channel]} size="md" checked={draft.channels.includes(channel)} error={errors["channels"] !== undefined} onChange={(event) => toggle(channel, event.currentTarget.checked)} />
          {draft.channels.includes(channel) && <TextInput {...text(RECIPIENTS[channel])} {...LATIN} {...RECIPIENT_FIELDS[channel]} className={rules.recipient ?? ""} />}
        </div>
      ))}
      {draft.channels.length > 1 && <Switch {...onOff("fallback")} label="届くまで、上から順に試す" description="切ると、すべての手段で同時に知らせます。" />}
    </fieldset>
  );
}

const HOURS = [1, 8, 24] as const;

export function WhenFields(props: RuleFieldsProps) {
  const { draft, change } = props;
  const { text, onOff } = bound(props);
  const snooze = (hours: number) => {
    const { date, time } = dayAndTime(new Date(Date.now() + hours * 3_600_000));
    change({ ...draft, snoozed_until: `${date}T${time}` });
  };
  return (
    <fieldset className={classes.group}>
      <legend>知らせる時</legend>
      <TextInput {...text("throttle_minutes")} inputMode="numeric" label="同じ問題を、次に知らせるまでの間隔（分）" description="0なら、起きるたびに知らせます。1,440分（24時間）まで。" />
      <Switch {...onOff("quiet_hours")} label="夜（22時〜7時）は、SMSを送らない" description="重要度が「重大」のときは、夜でも送ります。" />
      <div>
        <TextInput {...text("snoozed_until")} type="datetime-local" max="2099-12-31T23:59" label="知らせるのを休む（この日時まで）" description="空なら、休みません。休んでいる間も、チケットはできます。" />
        <div className={dialogs.usual} role="group" aria-label="休む長さ">
          {HOURS.map((hours) => (
            <button key={hours} type="button" onClick={() => snooze(hours)}>
              {hours}時間
            </button>
          ))}
          {draft.snoozed_until !== "" && (
            <button type="button" onClick={() => change({ ...draft, snoozed_until: "" })}>
              休まない
            </button>
          )}
        </div>
      </div>
    </fieldset>
  );
}
