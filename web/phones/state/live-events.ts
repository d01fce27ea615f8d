import { summaryOfRun } from "../answers/run-words";
import { summaryOf } from "../chat/line-message";
import { withMessage } from "../chat/timeline";
import { sandbox } from "../client/sandbox";
import type { StreamEvent } from "../client/stream";
import type { AnswersProgress, Call, ChatMessage, Person } from "../client/types";
import { refreshConditions } from "./conditions";
import { changePersonSoon, putPerson, refreshPeopleSoon } from "./people-changes";
import { getState, update } from "./store";

const CALLS_KEPT = 500;

/** Brings one event of the stream into the state. Events of a kind that is not known here are left alone. */
export function applyEvent(event: StreamEvent): void {
  switch (event.type) {
    case "user":
      return applyPerson(event["user"] as Person | undefined);
    case "message":
      return applyMessage(String(event["user_id"]), event["message"] as ChatMessage, event["unread"]);
    case "read":
      return applyRead(String(event["user_id"]));
    case "rich_menu":
      return void sandbox.richMenu().then((richMenu) => update({ richMenu }), ignore);
    case "answers":
      return applyAnswers(event["answers"] as AnswersProgress);
    case "conditions":
      return void refreshConditions().catch(ignore);
    case "call":
      return applyCall((event["call"] ?? event) as Call);
  }
}

function applyPerson(person: Person | undefined): void {
  if (typeof person?.user_id === "string" && typeof person.unread === "number") putPerson(person);
  else refreshPeopleSoon();
}

function applyMessage(userId: string, entry: ChatMessage, unread: unknown): void {
  const { chats } = getState();
  const chat = chats[userId];
  if (chat) update({ chats: { ...chats, [userId]: withMessage(chat, entry) } });
  if (chat && entry.from === "account") announce(userId, entry);
  if (typeof unread !== "number") return refreshPeopleSoon();
  changePersonSoon(userId, { unread, last_message: { text: summaryOf(entry.message), at: entry.at } });
}

function announce(userId: string, entry: ChatMessage): void {
  const name = getState().people.find((person) => person.user_id === userId)?.display_name ?? "";
  update({ announcement: `${name}さんに新しいメッセージ：${summaryOf(entry.message)}` });
}

export function applyRead(userId: string): void {
  const { chats } = getState();
  const chat = chats[userId];
  if (chat) update({ chats: { ...chats, [userId]: chat.map((entry) => ({ ...entry, read: true })) } });
  changePersonSoon(userId, { unread: 0 });
}

/** Only the start and the end are spoken: a voice that counts along would never be silent. */
function applyAnswers(answers: AnswersProgress): void {
  update({ answers: answers.people > 0 ? answers : null });
  if (answers.people > 0 && !answers.running) update({ announcement: summaryOfRun(answers) });
}

function applyCall(call: Call): void {
  update({ calls: [...getState().calls, call].slice(-CALLS_KEPT) });
}

/** The next event or the next reconnection brings what this one did not. */
function ignore(): void {}
