import { draftStore, isRecord, listOf, plainFields, type Stored } from "../frame/kept-draft";
import { newDraft, type ThreadDraft } from "./draft";
import { ruleDraftOf, RULE_KINDS } from "./how/rule";

export const { load: loadDraft, save: saveDraft, forget: forgetDraft } = draftStore("thread-draft", (stored) =>
  typeof stored["key"] === "string" && stored["key"] !== "" ? readDraft(stored) : null,
);

function readDraft(stored: Stored): ThreadDraft {
  const blank = newDraft();
  const deadline = stored["deadline"];
  const rule = stored["rule"];
  return {
    ...plainFields(stored, blank),
    slots: listOf(stored["slots"], isSlot),
    audienceIds: listOf(stored["audienceIds"], isId),
    memberIds: listOf(stored["memberIds"], isId),
    subject: typeof stored["subject"] === "string" ? stored["subject"] : null,
    deadline: isRecord(deadline) && typeof deadline["date"] === "string" && typeof deadline["time"] === "string" ? { date: deadline["date"], time: deadline["time"] } : null,
    rule: isRecord(rule) && RULE_KINDS.some((kind) => kind === rule["kind"]) ? { ...ruleDraftOf(null), ...rule } : blank.rule,
  };
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isSlot(value: unknown): value is ThreadDraft["slots"][number] {
  return isRecord(value) && typeof value["date"] === "string" && typeof value["start"] === "string" && typeof value["minutes"] === "number";
}
