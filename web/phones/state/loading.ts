import { sameSiteAddress } from "../chat/link-destination";
import { sandbox } from "../client/sandbox";
import { listen } from "../client/stream";
import type { Person } from "../client/types";
import { refreshConditions } from "./conditions";
import { applyEvent } from "./live-events";
import { readChosen } from "./shown-phones";
import { getState, type PhonesState, update } from "./store";

const TICK_MS = 1_000;
/** After so many failed attempts the sandbox counts as stopped, not as briefly away. */
const ATTEMPTS_UNTIL_DOWN = 3;

let clockAhead = 0;

/** Reads everything once and listens from then on. */
export function start(): void {
  update({ chosen: readChosen(localStorage) });
  setInterval(() => update({ now: Date.now() + clockAhead }), TICK_MS);
  listen({
    event: (event) => (event.type === "reset" ? void reload() : applyEvent(event)),
    open: (again) => {
      update({ connection: "live" });
      if (again || getState().phase !== "loading") void reload();
    },
    lost: (attempts) => {
      update({ connection: attempts >= ATTEMPTS_UNTIL_DOWN ? "down" : "reconnecting" });
    },
  });
  void reload();
}

/** Fetches anew what the page shows: at the start, after a reconnection and after the sandbox was emptied. */
export async function reload(): Promise<void> {
  try {
    const [config, people, richMenu, calls, answers] = await Promise.all([
      sandbox.config(),
      sandbox.people(),
      sandbox.richMenu(),
      sandbox.calls(),
      sandbox.answers(),
      refreshConditions(),
    ]);
    // A Vite development server listens under one name only, so there the page stays where it is.
    const better = import.meta.env.PROD ? sameSiteAddress(location.href, config) : null;
    if (better) return location.replace(better);
    update({ phase: "ready", config, people, richMenu, calls, chats: chatsOf(people) });
    // A run that ended before this page was opened is no news.
    update({ answers: answers.running ? answers : null });
    await Promise.all([setClock(), reloadChats()]);
  } catch {
    if (getState().phase !== "ready") update({ phase: "failed" });
  }
}

async function setClock(): Promise<void> {
  const now = await sandbox.now();
  clockAhead = Number.isNaN(now) ? 0 : now - Date.now();
  update({ now: Date.now() + clockAhead });
}

/** The opened chats of the people who still exist: an emptied sandbox has none of the others. */
function chatsOf(people: Person[]): PhonesState["chats"] {
  const { chats } = getState();
  return Object.fromEntries(people.flatMap(({ user_id }) => (chats[user_id] ? [[user_id, chats[user_id]]] : [])));
}

async function reloadChats(): Promise<void> {
  await Promise.allSettled(Object.keys(getState().chats).map(loadChat));
}

export async function loadChat(userId: string): Promise<void> {
  const messages = await sandbox.chat(userId);
  update({ chats: { ...getState().chats, [userId]: messages } });
}
