import { timeText } from "../booking/days";
import type { Plan } from "../booking/shapes";

type SkippedSlot = Plan["skipped"][number];

export interface PlanDay {
  date: string;
  times: string[];
  skipped: string[];
}

const SKIPPED: Record<SkippedSlot["reason"], string> = {
  HOLIDAY: "祝日",
  EXCLUDED: "除いた日",
  EXISTS: "同じ枠がある",
  PAST: "過ぎた日時",
};

function whyNot({ reason, name, startMinuteOfDay }: SkippedSlot): string {
  const why = reason === "HOLIDAY" && name ? `祝日（${name}）` : SKIPPED[reason];
  return startMinuteOfDay === undefined || startMinuteOfDay === null ? `${why}のため作りません` : `${timeText(startMinuteOfDay)}は${why}ため作りません`;
}

/** What will be made and left out, day by day. */
export function planDays({ slots, skipped }: Pick<Plan, "slots" | "skipped">): PlanDay[] {
  const days = new Map<string, PlanDay>();
  const dayOf = (date: string) => {
    const known = days.get(date) ?? { date, times: [], skipped: [] };
    days.set(date, known);
    return known;
  };
  for (const slot of slots) dayOf(slot.serviceDateLocal).times.push(timeText(slot.startMinuteOfDay));
  for (const one of skipped) dayOf(one.serviceDateLocal).skipped.push(whyNot(one));
  return [...days.values()].sort((one, other) => (one.date < other.date ? -1 : 1));
}
