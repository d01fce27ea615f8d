export const TICKET_STATUSES = ["open", "acknowledged", "closed"] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** What is looked at stands in the address, so that a reload keeps it. Without a status it is the open tickets. */
export interface TicketsSearch {
  status?: Exclude<TicketStatus, "open">;
  shop_id?: number;
}

export function ticketsSearch(search: Record<string, unknown>): TicketsSearch {
  const { status } = search;
  const shop_id = Number(search["shop_id"]);
  return {
    ...(status === "acknowledged" || status === "closed" ? { status } : {}),
    ...(Number.isSafeInteger(shop_id) && shop_id > 0 ? { shop_id } : {}),
  };
}
