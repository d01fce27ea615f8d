import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PageConfig } from "../../api/config";
import { browserStorage } from "../../kit/storage";
import { MemberClient } from "./client";
import { Outbox } from "./answers/outbox";
import { Sender } from "./answers/sender";
import { EVENT_ANSWERS, type EventSender } from "./events/answers/event-answers";
import { EventRows } from "./events/event-rows";
import type { Identity, IdentityAdapter } from "./identity/adapter";
import { chooseAdapter } from "./identity/choose";
import { bodyOf, THREAD_ANSWERS, type ThreadSender } from "./threads/answers/thread-answers";
import { ThreadRows } from "./threads/thread-rows";

/** What every screen may rely on once the app has started. */
export interface Session {
  identity: Identity;
  adapter: IdentityAdapter;
  client: MemberClient;
  /** The parts of the product that this installation shows to members, as the server names them. */
  pages: readonly string[];
  /** Whether this installation has a portal for staff. */
  hasStaffPortal: boolean;
  answers: EventSender;
  events: EventRows;
  threadAnswers: ThreadSender;
  threads: ThreadRows;
}

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("a screen was drawn before the app had started");
  return session;
}

export interface Start {
  run(): Promise<Session>;
  /** Known as soon as the adapter is; the problem screen offers LINE's own door through it. */
  adapter: IdentityAdapter | null;
}

/** Each step that succeeded is kept, so that "try again" after a lost network goes on where it stopped. */
export function starter(config: () => PageConfig, choose = chooseAdapter): Start {
  const start: Start = {
    adapter: null,
    async run() {
      const page = config();
      start.adapter ??= await choose(page);
      return sessionOf(await start.adapter.init(), start.adapter, page);
    },
  };
  return start;
}

/** Asks the server for nothing: the first screen's own request is the first. */
function sessionOf(identity: Identity, adapter: IdentityAdapter, page: PageConfig): Session {
  const client = new MemberClient(identity, adapter);
  const events = new EventRows();
  const threads = new ThreadRows();
  const answers = eventSender(client, identity.userId, events);
  const threadAnswers = threadSender(client, identity.userId, threads);
  answers.start();
  threadAnswers.start();
  const hasStaffPortal = page.features.includes("booking");
  return { identity, adapter, client, pages: page.member_pages, hasStaffPortal, answers, events, threadAnswers, threads };
}

function eventSender(client: MemberClient, userId: string, events: EventRows): EventSender {
  return new Sender(
    (eventId, { key, status, extra_text }) => {
      const body = { status, extra_text };
      return client.post("/api/liff/events/{event_id}/respond", body, { event_id: eventId }, { "idempotency-key": key });
    },
    new Outbox(EVENT_ANSWERS, userId, browserStorage()),
    (eventId, { current, responded_at }) => events.record(eventId, current, responded_at),
  );
}

function threadSender(client: MemberClient, userId: string, threads: ThreadRows): ThreadSender {
  return new Sender(
    (threadId, { key, ...answer }) =>
      client.post("/api/liff/threads/{thread_id}/respond", bodyOf(answer), { thread_id: threadId }, { "idempotency-key": key }),
    new Outbox(THREAD_ANSWERS, userId, browserStorage()),
    (threadId) => threads.record(threadId),
  );
}
