// What the codes of the API are called on the pages about people.
import { searchKey } from "../../../api/search";
import { actorName } from "../audit/names";
import type { ErasurePlan, PersonLink, RecordItem, RecordName, Suggestion } from "./queries";

export const KIND_NAMES: Record<RecordName["kind"], string> = {
  member: "会員",
  staff: "職員",
  line: "LINE",
  customer: "店舗のお客様",
  address: "メールアドレス",
};

export const FATE_NAMES: Record<ErasurePlan["tables"][number]["fate"], string> = {
  blanked: "名前や文章を消す",
  deleted: "削除する",
  kept: "残す",
};

export const STATE_NAMES: Record<RecordItem["state"], string> = {
  active: "有効",
  withdrawn: "退会",
  suspended: "休止",
  left: "退職",
  blocked: "ブロック",
  broken: "つながらない",
};

/** How urgent a state looks; one that is as it should be needs no colour. */
export const STATE_TONES: Record<RecordItem["state"], "good" | "warn" | "bad" | undefined> = {
  active: "good",
  withdrawn: undefined,
  suspended: "warn",
  left: undefined,
  blocked: "bad",
  broken: "bad",
};

const ORIGIN_NAMES: Record<PersonLink["origin"], string> = {
  sheet: "名簿のシートの列で連携",
  name: "名前が一致したため自動で連携",
  office: "事務局が手作業で連携",
  registration: "ご本人がLINEで名前を登録",
  portal: "ご本人が職員ポータルで連携",
  proof: "メールのコードで本人を確認",
  decision: "「同じ人です」と記録",
  unknown: "いきさつの記録なし",
};

export function originName({ origin }: Pick<PersonLink, "origin">): string {
  return ORIGIN_NAMES[origin];
}

/** A person who acted on the own account is 本人; the log names them by an id that tells nobody anything. */
export function byWhom(actor: string): string {
  return actor.startsWith("staff:") ? "ご本人" : actorName(actor);
}

/** Reasons that the program wrote say the same as the origin. */
const OWN_REASONS = new Set(["name_key", "sheet"]);

export function reasonOf({ reason }: Pick<PersonLink, "reason">): string | null {
  return reason === null || reason === "" || OWN_REASONS.has(reason) ? null : reason;
}

const TRAIT_NAMES: Record<Suggestion["shared"][number], string> = { line_user: "LINE", mail: "メール", name: "名前" };

export function traitNames(shared: Suggestion["shared"]): string {
  return `${shared.map((one) => TRAIT_NAMES[one]).join("と")}が同じ`;
}

export function nameOf({ name, kind }: Pick<RecordName, "name" | "kind">): string {
  return name || (kind === "customer" ? "（名前は予約システムにあります）" : "（名前なし）");
}

/** One line of a comparison: what each of the two records says. */
export interface ComparedLine {
  label: string;
  ours: string;
  theirs: string;
  same: boolean;
}

/**
 * What says that two records are of one person, as it is compared. Spaces say nothing, and neither does the kind of
 * kana. A variant of a character does: 髙橋 and 高橋 may be two people.
 */
const COMPARABLE: Record<string, (text: string) => string> = {
  名前: (text) => text.replace(/\s/g, ""),
  ふりがな: searchKey,
  メール: (text) => text.toLowerCase(),
};

/** Two records side by side. What only one of them has is shown all the same, because it may decide. */
export function compared(ours: RecordItem, theirs: RecordItem): ComparedLine[] {
  const [left, right] = [valuesOf(ours), valuesOf(theirs)];
  return [...new Set([...left.keys(), ...right.keys()])].map((label) => {
    const [one = "", other = ""] = [left.get(label), right.get(label)];
    const plain = COMPARABLE[label];
    return { label, ours: one, theirs: other, same: plain !== undefined && one !== "" && plain(one) === plain(other) };
  });
}

function valuesOf(record: RecordItem): Map<string, string> {
  const values: [string, string | null][] = [
    ["名前", record.name],
    ["ふりがな", record.kana],
    ["メール", record.contact],
    ["状態", STATE_NAMES[record.state]],
    ...record.facts.map(({ label, value }): [string, string] => [label, value]),
  ];
  return new Map(values.filter((entry): entry is [string, string] => Boolean(entry[1])));
}
