// What a slot says: whether it can be booked, and why not.
import { formatWithWeekday } from "../../../kit/dates";
import type { Slot } from "../api/shapes";

/** `change`: not beside what the person has, but the person can move here. `barred`: what they have stands in the way. */
export type SlotKind = "mine" | "waiting" | "open" | "change" | "full" | "barred" | "closed";

const CLOSED: Record<string, string> = { BOOKING_NOT_OPEN: "受付前", BOOKING_CLOSED: "受付終了", PAYMENT_UNAVAILABLE: "支払い停止中" };
const FULL = new Set(["SLOT_FULL", "DEPARTMENT_FULL"]);
// The person's own reservations are the reason.
const OWN = new Set(["ALREADY_BOOKED_THIS_YEAR", "TOO_SOON_AFTER_LAST", "OVERLAPS"]);
const FEW_SEATS = 3;

/** `moving`: the reservation that looks for another slot. A slot to which it can move is open for it. */
export function kindOf(slot: Slot, moving: number | null = null): SlotKind {
  if (slot.myReservationId !== null) return "mine";
  if (slot.myWaitingId !== null) return "waiting";
  if (slot.bookable) return "open";
  if (slot.replaceable !== null) return moving === null ? "change" : "open";
  if (OWN.has(slot.reason ?? "")) return "barred";
  return FULL.has(slot.reason ?? "") ? "full" : "closed";
}

/** Whether the person can have a seat here now, with a new reservation or with one that they have. */
export function isFree(slot: Slot): boolean {
  return slot.bookable || slot.replaceable !== null;
}

/** A few words for the list. */
export function seatsText(slot: Slot, moving: number | null = null): string {
  switch (kindOf(slot, moving)) {
    case "mine":
      return "予約済み";
    case "waiting":
      return "空き待ち中";
    case "open":
      return `残り${slot.seatsLeft}席`;
    case "change":
      return "変更できます";
    case "full":
      return "満席";
    case "barred":
      return slot.reason === "ALREADY_BOOKED_THIS_YEAR" ? "予約済みの年度" : slot.reason === "OVERLAPS" ? "時間が重なります" : "日数が足りません";
    case "closed":
      return CLOSED[slot.reason ?? ""] ?? "予約できません";
  }
}

/** Why it cannot be booked, and what to do instead. */
export function reasonText(slot: Slot): string {
  switch (slot.reason) {
    case "BOOKING_NOT_OPEN":
      return slot.bookingStart === null
        ? "まだ受付を始めていません。"
        : `受付は ${formatWithWeekday(slot.bookingStart)} に始まります。始まってから、もう一度開いてください。`;
    case "BOOKING_CLOSED":
      return "この枠の受付は終わりました。ほかの枠を選ぶか、担当者にお問い合わせください。";
    case "SLOT_FULL":
      return "この枠は満席です。";
    case "DEPARTMENT_FULL":
      return "この枠は、あなたの部署の定員に達しています。";
    case "ALREADY_BOOKED_THIS_YEAR":
      return "この種類は、この年度の上限まで予約済みです。いまの予約を、この枠に変更することもできません（変更の期限を過ぎたか、ほかの予約と重なります）。日時を変えたいときは、担当者にお問い合わせください。";
    case "TOO_SOON_AFTER_LAST":
      return "前後の予約からの日数が足りません。もっと離れた日を選んでください。";
    case "OVERLAPS":
      return "同じ時間に、ほかの予約があります。ほかの枠を選んでください。";
    case "PAYMENT_UNAVAILABLE":
      return "ただいまオンラインでのお支払いを受け付けていないため、予約できません。担当者にお問い合わせください。";
    default:
      return "この枠は、いまは予約できません。ほかの枠を選んでください。";
  }
}

export interface DaySeats {
  kind: SlotKind | "none";
  /** Seats that can be booked. */
  left: number;
  few: boolean;
}

/** What a day of the calendar says about all its slots: the best of them counts. */
export function seatsOfDay(slots: readonly Slot[], moving: number | null = null): DaySeats {
  const kinds = new Set(slots.map((slot) => kindOf(slot, moving)));
  const left = slots.filter(isFree).reduce((sum, { seatsLeft }) => sum + seatsLeft, 0);
  const kind = (["mine", "open", "change", "waiting", "full", "barred", "closed"] as const).find((name) => kinds.has(name)) ?? "none";
  return { kind, left, few: left <= FEW_SEATS };
}

/** What stands in the cell of a day. */
export function dayText({ kind, left }: DaySeats): string {
  const words = { mine: "予約", waiting: "待ち", open: `残${left}`, change: `残${left}`, full: "満席", barred: "－", closed: "－", none: "" };
  return words[kind];
}

/** The same for ears. */
export function daySpoken({ kind, left }: DaySeats): string {
  const words = {
    mine: "予約済みの枠があります",
    waiting: "空き待ち中の枠があります",
    open: `残り${left}席`,
    change: `残り${left}席。いまの予約から変更できます`,
    full: "満席",
    barred: "ほかの予約があるため、予約できません",
    closed: "受付していません",
    none: "予約枠はありません",
  };
  return words[kind];
}

/** The types among some slots, each once, in the order of their ids. */
export function typesOf(slots: readonly Slot[]): { id: number; name: string }[] {
  const names = new Map(slots.map((slot) => [slot.reservationTypeId, slot.reservationTypeName]));
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.id - b.id);
}

/** Where the calendar opens: at the first day with a seat, or with any slot, or today. */
export function firstDay(slots: readonly Slot[], today: string): string {
  return (slots.find(isFree) ?? slots[0])?.serviceDateLocal ?? today;
}
