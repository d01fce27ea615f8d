// What the form of a rule holds, and what it becomes for the API. A form holds texts.
import { type FieldErrors, wholeNumber } from "../booking/forms";
import { dayAndTime, instantOf } from "../event-detail/times";
import type { Channel, Rule, RuleChange } from "./queries";
import { isSnoozed, type Severity } from "./words";

export interface RuleDraft {
  rule_code: string;
  severity: Severity;
  channels: readonly Channel[];
  chatwork_room_id: string;
  email_to: string;
  sms_to: string;
  throttle_minutes: string;
  active: boolean;
  fallback: boolean;
  quiet_hours: boolean;
  /** For a field of the type `datetime-local`: `2026-11-20T09:00` in Japan, or empty. */
  snoozed_until: string;
}

export const RECIPIENTS = { chatwork: "chatwork_room_id", email: "email_to", sms: "sms_to" } as const satisfies Record<Channel, keyof RuleDraft>;

const MOST_RECIPIENTS = 10;
const LONGEST_THROTTLE = 1440;
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
/** As the server has them (`shops/escalation/schemas.py`), with what to say when they do not fit. */
const SHAPES: Record<Channel, [pattern: RegExp, problem: string]> = {
  chatwork: [/^[0-9]{1,20}$/, "ルームIDは、数字だけで入力してください"],
  email: [/^[^\s@,]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, "メールアドレスの形になっていません"],
  sms: [/^[+0-9][0-9() -]{5,19}$/, "半角の数字とハイフンで入力してください（例：090-1234-5678）"],
};

export function draftOf(rule: Rule | null, now: Date): RuleDraft {
  const { date, time } = rule?.snoozed_until && isSnoozed(rule, now) ? dayAndTime(rule.snoozed_until) : { date: "", time: "" };
  return {
    rule_code: rule?.rule_code ?? "",
    severity: rule?.severity ?? "warn",
    channels: rule?.channels ?? [],
    chatwork_room_id: rule?.chatwork_room_id ?? "",
    email_to: rule?.email_to ?? "",
    sms_to: rule?.sms_to ?? "",
    throttle_minutes: String(rule?.throttle_minutes ?? 30),
    active: rule?.active ?? true,
    fallback: rule?.fallback ?? false,
    quiet_hours: rule?.quiet_hours ?? true,
    snoozed_until: date === "" ? "" : `${date}T${time}`,
  };
}

/** Full-width letters, and the commas of Japanese, are what the keyboard was set to and not what was meant. */
function recipientsOf(text: string): string[] {
  const parts = text.normalize("NFKC").split(/[,、\n]/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function recipientProblem(draft: RuleDraft, channel: Channel): string | null {
  const found = recipientsOf(draft[RECIPIENTS[channel]]);
  const [pattern, problem] = SHAPES[channel];
  if (found.some((one) => !pattern.test(one))) return problem;
  if (channel === "chatwork") return found.length > 1 ? "ルームは1つだけです" : null;
  if (found.length === 0) return "宛先を入力してください";
  return found.length > MOST_RECIPIENTS ? `宛先は${MOST_RECIPIENTS}件までです` : null;
}

/** What is wrong with a draft. `taken` are the codes that a new rule cannot have. */
export function ruleErrors(draft: RuleDraft, now: Date, taken?: readonly string[]): FieldErrors {
  const errors: Record<string, string> = {};
  if (taken !== undefined) {
    const code = codeOf(draft);
    if (!CODE.test(code)) errors["rule_code"] = "半角の英大文字・数字・「_」で、英字から始めてください";
    else if (taken.includes(code)) errors["rule_code"] = "このコードのルールは、もうあります";
  }
  for (const channel of draft.channels) {
    const problem = recipientProblem(draft, channel);
    if (problem !== null) errors[RECIPIENTS[channel]] = problem;
  }
  if (wholeNumber(draft.throttle_minutes, 0, LONGEST_THROTTLE) === null) errors["throttle_minutes"] = "0分から1,440分（24時間）にしてください";
  const snoozed = snoozedUntil(draft);
  if (draft.snoozed_until !== "" && (snoozed === null || Date.parse(snoozed) <= now.getTime())) errors["snoozed_until"] = "いまより先の日時にしてください";
  return errors;
}

export function codeOf(draft: RuleDraft): string {
  return draft.rule_code.normalize("NFKC").trim().toUpperCase();
}

function snoozedUntil({ snoozed_until }: RuleDraft): string | null {
  const [date = "", time = ""] = snoozed_until.split("T");
  return instantOf({ date, time });
}

/** The whole rule. Recipients of a channel that is not chosen stay, unless they could not be stored. */
export function changeOf(draft: RuleDraft): RuleChange {
  const to = (channel: Channel) => {
    const found = recipientsOf(draft[RECIPIENTS[channel]]);
    return found.length === 0 || recipientProblem(draft, channel) !== null ? null : found.join(", ");
  };
  return {
    severity: draft.severity,
    channels: [...draft.channels],
    chatwork_room_id: to("chatwork"),
    email_to: to("email"),
    sms_to: to("sms"),
    throttle_minutes: wholeNumber(draft.throttle_minutes, 0, LONGEST_THROTTLE) ?? 0,
    active: draft.active,
    fallback: draft.fallback,
    quiet_hours: draft.quiet_hours,
    snoozed_until: snoozedUntil(draft),
  };
}
