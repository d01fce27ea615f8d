import { type Attempt, type Draft, newDraft } from "./draft";

const PREFIX = "tsudoi.event-draft.";

/** One draft for each person who logs in: a shared PC must not show one's work to the other. */
export function loadDraft(username: string, storage: Storage = window.localStorage): Draft | null {
  try {
    const stored: unknown = JSON.parse(storage.getItem(PREFIX + username) ?? "null");
    return isRecord(stored) && typeof stored["key"] === "string" && stored["key"] !== "" ? readDraft(stored) : null;
  } catch {
    // No storage, or not our words in it: the form starts empty, which is better than not at all.
    return null;
  }
}

export function saveDraft(username: string, draft: Draft, storage: Storage = window.localStorage): void {
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
function readDraft(stored: Record<string, unknown>): Draft {
  const blank = newDraft();
  const text = (name: keyof Draft, fallback: string) => {
    const value = stored[name];
    return typeof value === "string" ? value : fallback;
  };
  const flag = (name: keyof Draft, fallback: boolean) => {
    const value = stored[name];
    return typeof value === "boolean" ? value : fallback;
  };
  return {
    key: text("key", blank.key),
    title: text("title", blank.title),
    date: text("date", blank.date),
    time: text("time", blank.time),
    body: text("body", blank.body),
    memo: flag("memo", blank.memo),
    memoLabel: text("memoLabel", blank.memoLabel),
    memoAttendOnly: flag("memoAttendOnly", blank.memoAttendOnly),
    everybody: flag("everybody", blank.everybody),
    audienceIds: ids(stored["audienceIds"]),
    excluded: ids(stored["excluded"]),
    attempt: readAttempt(stored["attempt"]),
  };
}

function readAttempt(stored: unknown): Attempt | null {
  if (!isRecord(stored)) return null;
  const memberIds = ids(stored["memberIds"]);
  return memberIds.length > 0 ? { memberIds, overQuota: stored["overQuota"] === true } : null;
}

function ids(stored: unknown): number[] {
  return Array.isArray(stored) ? stored.filter((id): id is number => Number.isSafeInteger(id) && id > 0) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
