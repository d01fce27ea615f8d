import { type DayAndTime, dayAndTime, instantOf } from "../../event-detail/times";
import type { OptionFields } from "../../thread-new/how/Switches";
import type { Board } from "../../threads/thread";

type Thread = Board["thread"];

export interface Fields extends OptionFields {
  title: string;
  place: string;
  description: string;
  deadline: DayAndTime;
}

export function fieldsOf(thread: Thread): Fields {
  return {
    title: thread.title ?? "",
    place: thread.place ?? "",
    description: thread.description ?? "",
    deadline: thread.deadline_at === null ? { date: "", time: "" } : dayAndTime(thread.deadline_at),
    decideAtDeadline: thread.decide_at_deadline,
    remind: thread.remind_before_deadline,
    maybe: thread.maybe_allowed,
    visible: thread.answers_visible,
  };
}

const SWITCHES = { decideAtDeadline: "decide_at_deadline", remind: "remind_before_deadline", maybe: "maybe_allowed", visible: "answers_visible" } as const;

const NAMES: Record<string, string> = {
  title: "題名",
  place: "場所",
  description: "説明",
  deadline_at: "回答期限",
  decide_at_deadline: "期限まで待つこと",
  remind_before_deadline: "自動の督促",
  maybe_allowed: "△",
  answers_visible: "回答を見せること",
};

/** The names of those changes that somebody else has made differently since the dialog was opened. */
export function changedByOthers(base: Thread, now: Thread, changes: Record<string, unknown>): string[] {
  return Object.keys(changes)
    .filter((name) => base[name as keyof Thread] !== now[name as keyof Thread])
    .map((name) => NAMES[name] ?? name);
}

/** Only the changed fields, because the server would refuse an unchanged deadline that has passed. */
export function changesOf(thread: Thread, fields: Fields): Record<string, string | boolean | null> {
  const before = fieldsOf(thread);
  const changes: Record<string, string | boolean | null> = {};
  for (const name of ["title", "place", "description"] as const) {
    if (fields[name].trim() !== before[name].trim()) changes[name] = fields[name].trim() || null;
  }
  if (fields.deadline.date !== before.deadline.date || fields.deadline.time !== before.deadline.time) {
    const empty = fields.deadline.date === "" && fields.deadline.time === "";
    changes["deadline_at"] = empty ? null : instantOf(fields.deadline);
  }
  for (const [name, wire] of Object.entries(SWITCHES) as [keyof OptionFields, string][]) {
    if (fields[name] !== before[name]) changes[wire] = fields[name];
  }
  return changes;
}
