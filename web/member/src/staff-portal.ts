// Where the door leads to, and for whom.

/** The addresses of the door: the menu's, and those of the buttons in messages. */
export const DOOR_PATHS = ["/staff", "/staff/reservations", "/staff/reservations/:id", "/staff/reservations/:id/:what"];
const BELOW = "/liff/staff";
const PROFILE = "/staff/profile";
const RESERVATION = /^\/reservations\/[1-9]\d{0,15}(\/(move|cancel|calendar))?$/;
const REVISION = /^\d{1,9}$/;

/**
 * The page of the portal for an address below the door; null for one that does not exist. Only known pages are led to, so
 * that no address can lead anywhere else. Of the query, the revision of the message's reservation is kept.
 */
export function portalAddress(pathname: string, search: string): string | null {
  const rest = pathname.slice(BELOW.length).replace(/\/+$/, "");
  if (rest === "") return PROFILE;
  if (!RESERVATION.test(rest)) return rest === "/reservations" ? "/staff/reservations" : null;
  const revision = new URLSearchParams(search).get("r") ?? "";
  return `/staff${rest}${REVISION.test(revision) ? `?r=${revision}` : ""}`;
}

/** Whether an address is below the door, whatever it leads to. */
export function isDoor(pathname: string): boolean {
  return pathname === BELOW || pathname.startsWith(`${BELOW}/`);
}

const LINE_USER = "tsudoi:staff:line-user";
const SESSION = "tsudoi:staff:session";

/**
 * The portal's session belongs to the browser. When another LINE account opens the door, it ends: a phone that was handed
 * on, or changed its account, must not show the reservations of the person before.
 */
export async function leaveOtherPerson(userId: string, storage: Storage | null, fetch = window.fetch): Promise<void> {
  try {
    const before = storage?.getItem(LINE_USER) ?? userId;
    const loggedIn = storage?.getItem(SESSION) ?? null;
    storage?.setItem(LINE_USER, userId);
    if (before === userId || loggedIn === null) return;
    // The portal asks for the log-in without this mark, also when the server cannot be reached now.
    storage?.removeItem(SESSION);
    const headers = { "content-type": "application/json" };
    await fetch("/auth/logout", { method: "POST", headers, body: "{}", credentials: "same-origin" });
  } catch {
    // Storage is refused, or there is no network: the portal works without.
  }
}
