import type { Body } from "../../../api/shapes";
import { type FieldErrors, wholeNumber } from "../booking/forms";
import type { ReservationType } from "../booking/shapes";

/** What the form holds: numbers as they are typed, where an empty text stands for none. */
export interface TypeDraft {
  name: string;
  description: string;
  limitPerYear: string;
  minimumDaysBetween: string;
  cancelUntilHours: string;
  overlapAllowed: boolean;
  active: boolean;
  place: string;
  silentAtNight: boolean;
  mailFallback: boolean;
  absentFreesYear: boolean;
  priceJpy: string;
  holdMinutes: string;
  konbini: boolean;
  refundUntilHours: string;
}

const LARGEST = 9999;
export const PRICE = { least: 50, most: 9_999_999 };
const HOLD = { least: 30, most: 1440 };
/** A convenience store takes amounts in this range only. */
const KONBINI = { least: 120, most: 300_000 };

const text = (value: number | null | undefined) => (value === null || value === undefined ? "" : String(value));

export function draftOf(type: ReservationType | null): TypeDraft {
  return {
    name: type?.name ?? "",
    description: type?.description ?? "",
    limitPerYear: type ? text(type.limitPerYear) : "1",
    minimumDaysBetween: text(type?.minimumDaysBetween),
    cancelUntilHours: text(type?.cancelUntilHours ?? 0),
    overlapAllowed: type?.overlapAllowed ?? false,
    active: type?.active ?? true,
    place: type?.place ?? "",
    silentAtNight: type?.silentAtNight ?? false,
    mailFallback: type?.mailFallback ?? false,
    absentFreesYear: type?.absentFreesYear ?? false,
    priceJpy: text(type?.priceJpy),
    holdMinutes: text(type?.holdMinutes ?? 35),
    konbini: type?.konbini ?? false,
    refundUntilHours: text(type?.refundUntilHours),
  };
}

/** What the API takes. Call it only when there are no errors. */
export function typeOf(draft: TypeDraft) {
  const number = (value: string, least: number, most = LARGEST) => wholeNumber(value, least, most);
  return {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    limitPerYear: number(draft.limitPerYear, 1),
    minimumDaysBetween: number(draft.minimumDaysBetween, 1),
    cancelUntilHours: number(draft.cancelUntilHours, 0) ?? 0,
    overlapAllowed: draft.overlapAllowed,
    active: draft.active,
    place: draft.place.trim() || null,
    silentAtNight: draft.silentAtNight,
    mailFallback: draft.mailFallback,
    absentFreesYear: draft.absentFreesYear,
    priceJpy: priceOf(draft),
    holdMinutes: number(draft.holdMinutes, HOLD.least, HOLD.most) ?? 35,
    konbini: draft.konbini,
    refundUntilHours: number(draft.refundUntilHours, 0),
  } satisfies Body<"/api/admin/reservation-types", "post">;
}

export function priceOf({ priceJpy }: Pick<TypeDraft, "priceJpy">): number | null {
  return wholeNumber(priceJpy.replaceAll(/[,，]/g, ""), PRICE.least, PRICE.most);
}

export function typeErrors(draft: TypeDraft): FieldErrors {
  const errors: Record<string, string> = {};
  const check = (field: keyof TypeDraft & string, wrong: boolean, words: string) => {
    if (wrong) errors[field] = words;
  };
  const optional = (value: string, least: number) => value.trim() !== "" && wholeNumber(value, least, LARGEST) === null;
  const price = priceOf(draft);
  check("name", draft.name.trim() === "", "名前を入力してください");
  check("limitPerYear", optional(draft.limitPerYear, 1), "1以上の数字か、空にしてください");
  check("minimumDaysBetween", optional(draft.minimumDaysBetween, 1), "1以上の数字か、空にしてください");
  check("cancelUntilHours", wholeNumber(draft.cancelUntilHours, 0, LARGEST) === null, "0以上の数字にしてください");
  check("priceJpy", draft.priceJpy.trim() !== "" && price === null, "50円から9,999,999円の数字か、空にしてください");
  check("holdMinutes", price !== null && wholeNumber(draft.holdMinutes, HOLD.least, HOLD.most) === null, "30分から1,440分（24時間）にしてください");
  check("konbini", draft.konbini && price !== null && (price < KONBINI.least || price > KONBINI.most), "コンビニ払いは、120円から300,000円までです");
  check("refundUntilHours", optional(draft.refundUntilHours, 0), "0以上の数字か、空にしてください");
  return errors;
}
