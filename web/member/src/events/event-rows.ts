import type { EventRow, Status } from "./shapes";

/** The person's events as last seen: going back to the list shows them at once. */
export class EventRows {
  rows: EventRow[] | null = null;

  /** An answer of this page counts in the list before the server is asked for it again. */
  record(eventId: number, status: Status, respondedAt: string): void {
    this.rows =
      this.rows?.map((row) => (row.id === eventId ? { ...row, my_status: status, my_responded_at: respondedAt } : row)) ?? null;
  }
}
