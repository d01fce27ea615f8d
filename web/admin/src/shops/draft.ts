import { ApiError } from "../../../api/errors";
import type { FieldErrors } from "../booking/forms";
import { errorText } from "../booking/words";
import type { Shop } from "./queries";

export const TEXT_FIELDS = ["name", "code", "shop_email", "phone", "stores_public_url", "merchant_public_id", "merchant_canonical_id"] as const;
const FIELDS = [...TEXT_FIELDS, "shop_status"] as const;
export type ShopField = (typeof FIELDS)[number];

/** What a form holds: an empty text stands for nothing. */
export type ShopDraft = Record<ShopField, string>;

const NEVER_EMPTY = new Set<ShopField>(["name", "code", "shop_status"]);
const LONGEST_NAME = 60;

/** As the server has them (`shops/shop/rules.py`), with what to say when they do not fit. */
const SHAPES: Partial<Record<ShopField, [pattern: RegExp, problem: string]>> = {
  code: [/^[a-z0-9][a-z0-9_-]{0,31}$/, "半角の英小文字・数字・「-」「_」で、32文字までで入力してください"],
  shop_email: [/^[^\s@]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, "メールアドレスの形になっていません"],
  phone: [/^[+0-9][0-9() -]{5,19}$/, "半角の数字とハイフンで入力してください（例：052-123-4567）"],
  stores_public_url: [/^https:\/\/[!-~]{3,492}$/, "https:// で始まるアドレスを入力してください"],
  merchant_public_id: [/^[A-Za-z0-9_-]{1,64}$/, "半角の英数字・「-」「_」で、64文字までで入力してください"],
  merchant_canonical_id: [/^[A-Za-z0-9_-]{1,64}$/, "半角の英数字・「-」「_」で、64文字までで入力してください"],
};

export function draftOf(shop?: Shop): ShopDraft {
  return Object.fromEntries(FIELDS.map((name) => [name, shop?.[name] ?? (name === "shop_status" ? "open" : "")])) as ShopDraft;
}

/** What is sent: full-width letters and digits are what the keyboard was set to, and not what was meant. */
function meant(draft: ShopDraft, name: ShopField): string {
  return name === "name" ? draft.name.trim() : draft[name].normalize("NFKC").trim();
}

export function draftErrors(draft: ShopDraft): FieldErrors {
  const errors: Record<string, string> = {};
  for (const name of FIELDS) {
    const [pattern, problem] = SHAPES[name] ?? [];
    const text = meant(draft, name);
    if (text === "" && NEVER_EMPTY.has(name)) errors[name] = "入力してください";
    else if (text !== "" && pattern && !pattern.test(text)) errors[name] = problem ?? "";
  }
  if ([...meant(draft, "name")].length > LONGEST_NAME) errors["name"] = `${LONGEST_NAME}文字までです。短くしてください`;
  return errors;
}

/** What the API takes: the fields that differ, with null where a field was emptied. */
export function draftChanges(before: ShopDraft, after: ShopDraft): Record<string, string | null> {
  const changed = FIELDS.filter((name) => before[name] !== meant(after, name));
  return Object.fromEntries(changed.map((name) => [name, meant(after, name) || null]));
}

/** What the server says about the fields, in words that say what to do. */
export function refusedFields(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  const problem = (field: string, reason: string) => {
    if (reason === "TAKEN") return "別の店舗が使っています。別の値にしてください";
    return (reason === "INVALID_FORMAT" && SHAPES[field as ShopField]?.[1]) || errorText(reason);
  };
  return Object.fromEntries(error.details.map(({ field, reason }) => [field, problem(field, reason)]));
}
