import type { EventRow, Status } from "../shapes";

/** The list as last seen: going back to it shows it at once, where the person left it. */
export class EventList {
  rows: EventRow[] | null = null;

  record(eventId: number, status: Status, respondedAt: string): void {
    const changed = this.rows?.map((row) =>
      row.id === eventId ? { ...row, my_status: status, my_responded_at: respondedAt } : row,
    );
    if (changed) this.rows = inOrder(changed);
  }
}

const waits = (row: EventRow): boolean => row.my_status === "pending" && !row.cancelled;

/** The server's order, so that nothing jumps when its own list arrives. */
export function inOrder(rows: EventRow[]): EventRow[] {
  const rank = (row: EventRow): number => (row.over ? 2 : waits(row) ? 0 : 1);
  return [...rows].sort((a, b) => rank(a) - rank(b) || (a.over ? byDate(b, a) : byDate(a, b)));
}

function byDate(a: EventRow, b: EventRow): number {
  return a.held_at.localeCompare(b.held_at) || a.id - b.id;
}
