import type { ThreadRow } from "./shapes";

/** The person's threads as last seen: going back to the list shows them at once. */
export class ThreadRows {
  rows: ThreadRow[] | null = null;

  /** An answer of this page counts in the list before the server is asked for it again. */
  record(threadId: string): void {
    this.rows = this.rows?.map((row) => (row.id === threadId ? { ...row, answered: true } : row)) ?? null;
  }
}
