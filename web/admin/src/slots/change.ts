// The same change for many slots: its words, and what its preview says day by day.
import type { Answer, Body } from "../../../api/shapes";
import { rangeText, timeText } from "../booking/days";
import { formatDateTime } from "../../../api/times";

export type ManySlotsChange = Body<"/api/admin/slots/change", "post">["change"];
export type ChangeResult = Answer<"/api/admin/slots/change", "post">;
export type RefusedSlot = ChangeResult["refused"][number];

export interface ChangeWords {
  title: string;
  /** What happens to so many slots, before 「…枠」 stands in front of it. */
  text: string;
  action: string;
  done: string;
  /** Why some of them stay as they are. */
  same: string;
  /** What is said where some of them cannot be changed. */
  cannot: string;
}

export const PUBLISH: ManySlotsChange = { status: "published" };
export const CLOSE: ManySlotsChange = { status: "closed" };
export const DELETE: ManySlotsChange = { delete: true };

export function wordsOf(change: ManySlotsChange): ChangeWords {
  if (change.delete) return { title: "予約枠を削除", text: "枠を削除します。元に戻せません。", action: "削除する", done: "削除しました", same: "", cannot: "削除できません" };
  if (change.status === "published") {
    return { title: "予約枠を公開", text: "枠を公開します。受付の期間になると、職員が予約できます。", action: "公開する", done: "公開しました", same: "はもう公開中です。", cannot: "公開できません" };
  }
  if (change.status === "closed") {
    return {
      title: "予約枠を締め切り",
      text: "枠を締め切ります。新しい予約はできなくなり、いまある予約はそのまま残ります。",
      action: "締め切る",
      done: "締め切りました",
      same: "はもう締め切られています。",
      cannot: "締め切れません",
    };
  }
  return { title: "予約枠の内容を変更", text: "枠の内容を変えます。", action: "変更する", done: "変更しました", same: "はもうこの内容です。", cannot: "変更できません" };
}

/** The new contents, as label and value. */
export function newContents({ capacity, bookingStart, bookingEnd, notes }: ManySlotsChange): [string, string][] {
  const lines: [string, string | undefined][] = [
    ["定員", capacity === undefined ? undefined : `${capacity.toLocaleString("ja-JP")}人`],
    ["受付の開始", bookingStart === null ? "公開したときから" : bookingStart && formatDateTime(bookingStart)],
    ["受付の締め切り", bookingEnd === null ? "枠が始まるまで" : bookingEnd && formatDateTime(bookingEnd)],
    ["備考", notes === null ? "なし" : notes],
  ];
  return lines.filter((line): line is [string, string] => line[1] !== undefined);
}

/** Why slots cannot be changed, and what can be done instead. */
export const REFUSALS: Record<RefusedSlot["code"], { why: string; instead: string }> = {
  IN_USE: {
    why: "予約やキャンセル待ちの記録があるため、削除できません。",
    instead: "代わりに「締め切る」を選ぶと、新しい予約を止められます。",
  },
  CAPACITY_BELOW_BOOKED: {
    why: "新しい定員より多くの方が、すでに予約しています。",
    instead: "枠を開いて、先に予約を移すか取り消してください。",
  },
  INVALID_WINDOW: {
    why: "受付の締め切りが、受付の開始より前になります。",
    instead: "受付の開始と締め切りの両方を入れ直してください。",
  },
};

interface Timed {
  serviceDateLocal: string;
  startMinuteOfDay: number;
  durationMinutes: number;
}

export interface SlotDay<Item> {
  date: string;
  /** By time. */
  slots: Item[];
}

/** The slots day by day, however they came. */
export function slotDays<Item extends Timed>(slots: readonly Item[]): SlotDay<Item>[] {
  const days = new Map<string, Item[]>();
  for (const slot of slots) {
    const known = days.get(slot.serviceDateLocal);
    if (known) known.push(slot);
    else days.set(slot.serviceDateLocal, [slot]);
  }
  return [...days]
    .map(([date, some]) => ({ date, slots: some.sort((one, other) => one.startMinuteOfDay - other.startMinuteOfDay) }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}

/** `4枠（9:00–11:00）`: how many, and from the first begin to the last end. */
export function spanText(slots: readonly Timed[]): string {
  const first = slots[0];
  if (first === undefined) return "0枠";
  if (slots.length === 1) return `1枠（${rangeText(first)}）`;
  const end = Math.max(...slots.map(({ startMinuteOfDay, durationMinutes }) => startMinuteOfDay + durationMinutes));
  return `${slots.length}枠（${timeText(first.startMinuteOfDay)}–${timeText(end)}）`;
}
