import { api } from "../api/client";
import { saveAnswer } from "../api/files";

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
  await saveAnswer(answer as Promise<{ data?: unknown; error?: unknown; response: Response }>, name.replace("/", "-"));
}
