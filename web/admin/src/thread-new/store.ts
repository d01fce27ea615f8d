import { newDraft, type ThreadDraft } from "./draft";
import { ruleDraftOf, RULE_KINDS } from "./how/rule";

const PREFIX = "tsudoi.thread-draft.";

/** One draft for each person who logs in: a shared PC must not show one's work to the other. */
export function loadDraft(username: string, storage: Storage = window.localStorage): ThreadDraft | null {
  try {
    const stored: unknown = JSON.parse(storage.getItem(PREFIX + username) ?? "null");
    return isRecord(stored) && typeof stored["key"] === "string" && stored["key"] !== "" ? readDraft(stored) : null;
  } catch {
    // No storage, or not our words in it: the form starts empty, which is better than not at all.
    return null;
  }
}

export function saveDraft(username: string, draft: ThreadDraft, storage: Storage = window.localStorage): void {
  try {
    storage.setItem(PREFIX + username, JSON.stringify(draft));
  } catch {
    // A full or forbidden storage costs the draft on a reload, never the work in front of the person.
  }
}

export function forgetDraft(username: string, storage: Storage = window.localStorage): void {
  try {
    storage.removeItem(PREFIX + username);
  } catch {
    // What cannot be stored cannot be there.
  }
}

/** Field by field: an older version of the console may have written it. */
function readDraft(stored: Record<string, unknown>): ThreadDraft {
  const blank = newDraft();
  const result: Record<string, unknown> = { ...blank };
  for (const [name, value] of Object.entries(blank)) {
    const given = stored[name];
    if (typeof given === typeof value && value !== null && !Array.isArray(value) && typeof value !== "object") result[name] = given;
  }
  const deadline = stored["deadline"];
  const rule = stored["rule"];
  return {
    ...(result as unknown as ThreadDraft),
    slots: list(stored["slots"]).filter(isSlot),
    audienceIds: list(stored["audienceIds"]).filter(isId),
    memberIds: list(stored["memberIds"]).filter(isId),
    subject: typeof stored["subject"] === "string" ? stored["subject"] : null,
    deadline: isRecord(deadline) && typeof deadline["date"] === "string" && typeof deadline["time"] === "string" ? { date: deadline["date"], time: deadline["time"] } : null,
    rule: isRecord(rule) && RULE_KINDS.some((kind) => kind === rule["kind"]) ? { ...ruleDraftOf(null), ...rule } : blank.rule,
  };
}

function list(stored: unknown): unknown[] {
  return Array.isArray(stored) ? stored : [];
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isSlot(value: unknown): value is ThreadDraft["slots"][number] {
  return isRecord(value) && typeof value["date"] === "string" && typeof value["start"] === "string" && typeof value["minutes"] === "number";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
