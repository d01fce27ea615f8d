import { draftStore, isRecord, listOf, plainFields, type Stored } from "../../frame/kept-draft";
import { type Attempt, type Draft, newDraft } from "./draft";

export const { load: loadDraft, save: saveDraft, forget: forgetDraft } = draftStore("event-draft", (stored) =>
  typeof stored["key"] === "string" && stored["key"] !== "" ? readDraft(stored) : null,
);

function readDraft(stored: Stored): Draft {
  return {
    ...plainFields(stored, newDraft()),
    audienceIds: listOf(stored["audienceIds"], isId),
    excluded: listOf(stored["excluded"], isId),
    attempt: readAttempt(stored["attempt"]),
  };
}

function readAttempt(stored: unknown): Attempt | null {
  if (!isRecord(stored)) return null;
  const memberIds = listOf(stored["memberIds"], isId);
  return memberIds.length > 0 ? { memberIds, overQuota: stored["overQuota"] === true } : null;
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
