import type { Slot, ThreadDetail, ThreadReceipt, ThreadRow } from "./shapes";

export function slotOf(slot_id: string, day: string, change: Partial<Slot> = {}): Slot {
  const at = (hour: string) => `2099-${day}T${hour}:00:00+09:00`;
  const base = { timezone: "Asia/Tokyo", label: null, begun: false, answer: null, yes: null, maybe: null, no: null };
  return { slot_id, start_at: at("14"), end_at: at("15"), ...base, ...change };
}

export const UNANSWERED: ThreadDetail["selection"] = {
  status: "pending",
  selected_slot_id: null,
  selected_slot_ids: [],
  maybe_slot_ids: [],
  comment: null,
  responded_at: null,
};

export const THREAD: ThreadDetail = {
  id: "5b7fd5d4-3f0f-4be8-8a36-6a8d4bb7ab15",
  title: "臨時理事会",
  description: null,
  place: "本部 3階会議室",
  organizer_name: "みなと町会",
  status: "active",
  deadline_at: "2099-12-04T03:00:00.000000+00:00",
  maybe_allowed: true,
  multiple_slots_allowed: true,
  slots: [slotOf("s1", "12-10"), slotOf("s2", "12-11"), slotOf("s3", "12-12")],
  selection: UNANSWERED,
  can_answer: true,
  why_not: null,
  final_slot_id: null,
  taking_part: null,
  cancel_reason: null,
  calendar_url: null,
  mail_stopped: false,
  contact_address: "office@a.test",
  can_answer_late: false,
  late_answer: null,
};

export const ROW: ThreadRow = {
  id: THREAD.id,
  title: THREAD.title,
  status: "active",
  deadline_at: THREAD.deadline_at,
  answered: false,
  can_answer: true,
  final_start_at: null,
  taking_part: null,
};

/** What the server confirms to an answer. */
export function receiptOf(selected: string[], maybe: string[] = [], comment: string | null = null): ThreadReceipt {
  const status = selected.length + maybe.length > 0 ? "selected" : "declined";
  return {
    ok: true,
    thread_id: THREAD.id,
    invitee_key: "lm:1",
    selection: {
      status,
      selected_slot_id: selected[0] ?? null,
      selected_slot_ids: selected,
      maybe_slot_ids: maybe,
      comment,
      responded_at: "2026-12-01T03:00:00.000000+00:00",
    },
    evaluation: { finalized: false, final_slot_id: null, reason: "WAITING", final_participants: [] },
  };
}
