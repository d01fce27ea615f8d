import { ApiError } from "../../../api/errors";
import type { FieldErrors } from "../booking/forms";
import { reasonError } from "../members/ReasonField";

/** What the form for a link by hand holds. */
export interface LinkDraft {
  shop_id: string;
  line_user_id: string;
  stores_customer_id: string;
  reason: string;
}

const LINE_USER = /^U[0-9a-f]{32}$/;
const CUSTOMER = /^[1-9][0-9]{0,17}$/;
const NO_LINE_USER = "「U」で始まる33文字のLINEのユーザーIDを入力してください";
const NO_CUSTOMER = "STORES予約の顧客番号を、半角の数字で入力してください";

/** What is sent: full-width digits and blanks around a pasted id are not what was meant. */
export function bodyOf({ shop_id, line_user_id, stores_customer_id, reason }: LinkDraft) {
  const plain = (text: string) => text.normalize("NFKC").trim();
  return { shop_id: Number(shop_id), line_user_id: plain(line_user_id), stores_customer_id: plain(stores_customer_id), reason: reason.trim() };
}

export function linkErrors(draft: LinkDraft): FieldErrors {
  const body = bodyOf(draft);
  const reason = reasonError(draft.reason, null);
  return {
    ...(body.shop_id > 0 ? {} : { shop_id: "店舗を選んでください" }),
    ...(LINE_USER.test(body.line_user_id) ? {} : { line_user_id: NO_LINE_USER }),
    ...(CUSTOMER.test(body.stores_customer_id) ? {} : { stores_customer_id: NO_CUSTOMER }),
    ...(reason === null ? {} : { reason }),
  };
}

/** What the server refused, by field. */
export function refusedLink(error: unknown): FieldErrors {
  if (!(error instanceof ApiError) || error.status === 409) return {};
  const words: Record<string, string> = { line_user_id: NO_LINE_USER, stores_customer_id: NO_CUSTOMER, reason: "使えない文字が入っています。入力し直してください。" };
  return Object.fromEntries(error.details.flatMap(({ field }) => (words[field] ? [[field, words[field]]] : [])));
}

/** Which id of the form is linked otherwise, after the server has refused to overwrite that link. */
export function takenField(error: unknown): "line_user_id" | "stores_customer_id" | null {
  if (!(error instanceof ApiError) || error.code !== "LINK_CONFLICT") return null;
  return error.details.some(({ field }) => field === "stores_customer_id") ? "stores_customer_id" : "line_user_id";
}
