import { unreadIn } from "../chat/timeline";
import type { Person } from "../client/types";
import type { PhonesState } from "./store";

/** An opened chat knows best; for the others the sandbox counts. */
export function unreadOf(person: Person, chats: PhonesState["chats"]): number {
  const chat = chats[person.user_id];
  return chat ? unreadIn(chat) : person.unread;
}

export function totalUnread(people: Person[], chats: PhonesState["chats"]): number {
  return people.reduce((sum, person) => sum + unreadOf(person, chats), 0);
}

export function badgeText(count: number): string {
  return count > 99 ? "99+" : String(count);
}

export function titleWith(count: number): string {
  return count > 0 ? `(${badgeText(count)}) 電話の練習場 – Tsudoi` : "電話の練習場 – Tsudoi";
}
