// Ways to the screens about all shops, narrowed to one.
export const ticketsOf = (shop_id: number) => ({ to: "/tickets", search: { shop_id } }) as const;
export const ticketOf = (ticketId: number) => ({ to: "/tickets/$ticketId", params: { ticketId: String(ticketId) } }) as const;
export const callsOf = (shop_id: number) => ({ to: "/connections/calls", search: { shop_id } }) as const;
export const CONNECTIONS = { to: "/connections" } as const;
