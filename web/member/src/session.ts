import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { PageConfig } from "../../api/config";
import type { Answer } from "../../api/shapes";
import { Client } from "./api/client";
import type { Identity, IdentityAdapter } from "./identity/adapter";
import { chooseAdapter } from "./identity/choose";

/** What every screen may rely on once the app has started. */
export interface Session {
  identity: Identity;
  client: Client;
  me: Answer<"/api/liff/me">;
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
  let identity: Identity | null = null;
  const start: Start = {
    adapter: null,
    async run() {
      start.adapter ??= await choose(config());
      identity ??= await start.adapter.init();
      const client = new Client(identity, start.adapter);
      return { identity, client, me: await client.get("/api/liff/me") };
    },
  };
  return start;
}
