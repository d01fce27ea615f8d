// What a slot says: whether it can be booked, and why not.
import { formatWithWeekday } from "../../../kit/dates";
import type { Slot } from "../api/shapes";

export type SlotKind = "mine" | "waiting" | "open" | "full" | "closed";

const FULL = new Set(["SLOT_FULL", "DEPARTMENT_FULL"]);
const FEW_SEATS = 3;

export function kindOf(slot: Slot): SlotKind {
  if (slot.myReservationId !== null) return "mine";
  if (slot.myWaitingId !== null) return "waiting";
  if (slot.bookable) return "open";
  return FULL.has(slot.reason ?? "") ? "full" : "closed";
}

/** A few words for the list. */
export function seatsText(slot: Slot): string {
  switch (kindOf(slot)) {
    case "mine":
      return "予約済み";
    case "waiting":
      return "空き待ち中";
    case "open":
      return `残り${slot.seatsLeft}席`;
    case "full":
      return "満席";
    case "closed":
      return slot.reason === "BOOKING_NOT_OPEN" ? "受付前" : "受付終了";
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
export function seatsOfDay(slots: readonly Slot[]): DaySeats {
  const kinds = new Set(slots.map(kindOf));
  const left = slots.filter(({ bookable }) => bookable).reduce((sum, { seatsLeft }) => sum + seatsLeft, 0);
  const kind = (["mine", "open", "waiting", "full", "closed"] as const).find((name) => kinds.has(name)) ?? "none";
  return { kind, left, few: left <= FEW_SEATS };
}

/** What stands in the cell of a day. */
export function dayText({ kind, left }: DaySeats): string {
  const words = { mine: "予約", waiting: "待ち", open: `残${left}`, full: "満席", closed: "－", none: "" };
  return words[kind];
}

/** The same for ears. */
export function daySpoken({ kind, left }: DaySeats): string {
  const words = {
    mine: "予約済みの枠があります",
    waiting: "空き待ち中の枠があります",
    open: `残り${left}席`,
    full: "満席",
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
  return (slots.find(({ bookable }) => bookable) ?? slots[0])?.serviceDateLocal ?? today;
}
