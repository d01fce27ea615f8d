import { answerOf, api } from "../api/client";

const PATHS = {
  "export/latest.csv": "/api/admin/events/{event_id}/export/latest.csv",
  "export/latest.xlsx": "/api/admin/events/{event_id}/export/latest.xlsx",
  "export/history.csv": "/api/admin/events/{event_id}/export/history.csv",
  "export/history.xlsx": "/api/admin/events/{event_id}/export/history.xlsx",
  "event.ics": "/api/admin/events/{event_id}/event.ics",
} as const;

export type ExportName = keyof typeof PATHS;

/**
 * Saves a file under the server's name for it. It is fetched rather than linked to, so that an expired session
 * asks for the log-in and an error has words, instead of a file with an error in it.
 */
export async function download(eventId: number, name: ExportName, asOf: string | null): Promise<void> {
  const query = asOf !== null && name.startsWith("export/latest") ? { as_of: asOf } : {};
  const params = { path: { event_id: eventId }, query };
  const answer = api.GET(PATHS[name], { params, parseAs: "blob" });
  const file = (await answerOf(answer as Promise<{ data?: unknown; error?: unknown; response: Response }>)) as Blob;
  save(file, fileName((await answer).response.headers.get("content-disposition")) ?? name.replace("/", "-"));
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the file after this returns.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The name for people (`filename*`) before the plain one. */
export function fileName(disposition: string | null): string | null {
  const spelled = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  if (spelled) return decodeURIComponent(spelled);
  return /filename="([^"]+)"/i.exec(disposition ?? "")?.[1] ?? null;
}
