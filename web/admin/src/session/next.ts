export interface LoginSearch {
  /** Where the person was going when the log-in came between. */
  next?: string;
  /** Shown right after a log-out. */
  out?: true;
}

export function loginSearch(search: Record<string, unknown>): LoginSearch {
  return {
    ...(typeof search["next"] === "string" ? { next: search["next"] } : {}),
    ...(search["out"] === true ? { out: true } : {}),
  };
}

/** Only paths of the console itself: a crafted link must not lead out of it after a log-in. */
export function safeNext(next: string | undefined): string {
  const target = new URL(next ?? "/", "https://console.invalid");
  const inside = next?.startsWith("/") && target.origin === "https://console.invalid";
  return inside && target.pathname !== "/login" ? target.pathname + target.search + target.hash : "/";
}
