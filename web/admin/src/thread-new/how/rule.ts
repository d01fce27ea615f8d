// How it is decided, as the form has it and as the API takes it (document 001, appendix B).

export type RuleKind = "ANY" | "ALL" | "K_OF_N" | "REQUIRED_PLUS_K" | "GROUP_ANY";

export interface GroupChoice {
  audienceId: number;
  least: number;
}

export interface RuleDraft {
  kind: RuleKind;
  /** K_OF_N: how many; null: more than half of those who are asked. */
  count: number | null;
  /** REQUIRED_PLUS_K: the keys of those who must come, and how many others. */
  required: string[];
  others: number;
  /** GROUP_ANY */
  groups: GroupChoice[];
  auto: boolean;
  /** False: everybody chooses one date. */
  several: boolean;
}

/** The office decides: a rule that decides by itself is chosen on purpose, because it tells everybody a date. */
export const NEW_RULE: RuleDraft = { kind: "K_OF_N", count: null, required: [], others: 1, groups: [], auto: false, several: true };

/** Who decides, and when: the three cards of the form. */
export type Decider = "office" | "rule" | "deadline";
export const DECIDERS: Record<Decider, { title: string; text: string }> = {
  office: { title: "事務局が表を見て決める", text: "○△×の表を見て、「決定する」を押すまで決まりません。下の条件は目安で、揃った日に印が付きます。" },
  rule: { title: "条件が揃ったら、すぐ自動で決める", text: "残りの方の回答を待たずに、揃ったときに決まり、全員に知らせが届きます。" },
  deadline: { title: "回答期限に、自動で決める", text: "期限まで全員の回答を待ちます。条件が揃っている日に決まり、全員に知らせが届きます。" },
};

export function deciderOf({ rule, decideAtDeadline }: { rule: Pick<RuleDraft, "auto">; decideAtDeadline: boolean }): Decider {
  return !rule.auto ? "office" : decideAtDeadline ? "deadline" : "rule";
}

export function decidedBy(decider: Decider, rule: RuleDraft): { rule: RuleDraft; decideAtDeadline: boolean } {
  return { rule: { ...rule, auto: decider !== "office" }, decideAtDeadline: decider === "deadline" };
}

/** How many have to say ○. */
export function countOf({ count }: Pick<RuleDraft, "count">, people: number): number {
  return count ?? Math.floor(people / 2) + 1;
}

export const RULE_WORDS: Record<RuleKind, { title: string; text: string }> = {
  ANY: { title: "だれか1人", text: "最初に○が付いた日に決まります。1対1の面談などに。" },
  ALL: { title: "全員", text: "声をかけた全員が○の日だけ決まります。" },
  K_OF_N: { title: "人数で決める", text: "○が決めた人数に達した日に決まります。理事会の定足数などに。" },
  REQUIRED_PLUS_K: { title: "必ず来てほしい人＋人数", text: "会長など外せない方の○と、ほかの方の人数で決まります。" },
  GROUP_ANY: { title: "グループのどれか", text: "どれか1つのグループから、決めた人数の○が揃えば決まります。" },
};
export const RULE_KINDS = Object.keys(RULE_WORDS) as RuleKind[];

export interface GroupFacts {
  id: number;
  name: string;
  /** The keys of its people among those who are asked. */
  keys: readonly string[];
}

/** What is missing before the server can be asked, or null. */
export function ruleProblem(rule: RuleDraft, people: number): string | null {
  if (rule.kind === "K_OF_N") {
    const count = countOf(rule, people);
    if (!Number.isInteger(count) || count < 1) return "人数を1以上で入れてください";
    if (people > 0 && count > people) return `声をかける方は${people}人です。それ以下の人数にしてください`;
  }
  if (rule.kind === "REQUIRED_PLUS_K") {
    if (rule.required.length === 0) return "必ず来てほしい方を選んでください";
    if (!Number.isInteger(rule.others) || rule.others < 0) return "ほかの方の人数を0以上で入れてください";
    if (people > 0 && rule.others > people - rule.required.length) return `ほかの方は${Math.max(0, people - rule.required.length)}人です。それ以下の人数にしてください`;
  }
  if (rule.kind === "GROUP_ANY") {
    if (rule.groups.length === 0) return "グループを1つ以上選んでください";
    if (rule.groups.some(({ least }) => !Number.isInteger(least) || least < 1)) return "グループの人数を1以上で入れてください";
  }
  return null;
}

/** The rule as the API takes it. `people`: how many are asked. */
export function wireRule(rule: RuleDraft, groups: readonly GroupFacts[] = [], people = 0): Record<string, unknown> {
  const count = countOf(rule, people);
  const common = {
    version: "1.0",
    type: rule.kind,
    slot_policy: { multiple_slots_allowed: rule.several },
    invitee_scope: { allow_unregistered: true },
    finalize_policy: { auto_finalize: rule.auto, policy: "EARLIEST_VALID" },
  };
  switch (rule.kind) {
    case "ANY":
      return { ...common, rule: {} };
    case "ALL":
      return { ...common, participants: [], rule: {} };
    case "K_OF_N":
      return { ...common, participants: [], k: count, rule: { k: count } };
    case "REQUIRED_PLUS_K":
      return {
        ...common,
        required: rule.required,
        optional: [],
        quorum: rule.others,
        rule: { required_count: rule.required.length, optional_quorum: rule.others },
      };
    case "GROUP_ANY": {
      const wanted = rule.groups.map(({ audienceId, least }) => ({
        name: groups.find(({ id }) => id === audienceId)?.name ?? "",
        audience_id: audienceId,
        any_of_invitee_keys: [...(groups.find(({ id }) => id === audienceId)?.keys ?? [])],
        min: least,
      }));
      return { ...common, groups: wanted, rule: { groups: wanted.length } };
    }
  }
}

/** The rule of the server as the form has it. What the form cannot show is left at its beginning. */
export function ruleDraftOf(json: Record<string, unknown> | null | undefined): RuleDraft {
  if (!json) return NEW_RULE;
  const kind = RULE_KINDS.find((one) => one === json["type"]) ?? NEW_RULE.kind;
  const flags = { auto: flag(json["finalize_policy"], "auto_finalize"), several: flag(json["slot_policy"], "multiple_slots_allowed") };
  const groups = Array.isArray(json["groups"]) ? (json["groups"] as Record<string, unknown>[]) : [];
  return {
    ...NEW_RULE,
    ...flags,
    kind,
    count: typeof json["k"] === "number" ? whole(json["k"], 1) : null,
    required: Array.isArray(json["required"]) ? json["required"].filter((key): key is string => typeof key === "string") : [],
    others: whole(json["quorum"], 0),
    groups: groups
      .map((group) => ({ audienceId: whole(group["audience_id"], 0), least: whole(group["min"], 1) }))
      .filter(({ audienceId }) => audienceId > 0),
  };
}

function flag(part: unknown, name: string): boolean {
  return (part as Record<string, unknown> | null | undefined)?.[name] !== false;
}

function whole(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isInteger(value) ? value : otherwise;
}
