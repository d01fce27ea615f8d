import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Profile } from "../api/shapes";
import type { StaffApi } from "../api/staff-api";

/** What every screen behind the log-in may rely on. */
export interface StaffSession {
  api: StaffApi;
  profile: Profile;
  /** After a change: the newest profile, so that every screen shows it. */
  changed: (profile: Profile) => void;
  /** Shows the form for what a reservation needs. */
  askForMissing: () => void;
  logOut: () => void;
  /** Somebody else logs in and arrives at the same address. */
  changePerson: () => void;
}

const SessionContext = createContext<StaffSession | null>(null);
export const SessionProvider = SessionContext.Provider;

export function useSession(): StaffSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error("a screen was drawn before anybody had logged in");
  return session;
}
