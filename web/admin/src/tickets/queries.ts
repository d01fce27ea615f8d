import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { TicketStatus, TicketsSearch } from "./search";

export type Ticket = Answer<"/api/admin/tickets">["tickets"][number];
export type TicketCounts = Answer<"/api/admin/tickets">["counts"];
export type TicketDetail = Answer<"/api/admin/tickets/{ticket_id}">;
export type Attempt = TicketDetail["attempts"][number];

const REFRESH_MS = 30_000;

export function ticketsQuery(search: TicketsSearch) {
  const { shop_id } = search;
  const status: TicketStatus = search.status ?? "open";
  return infiniteQueryOptions({
    queryKey: ["shops", "tickets", status, shop_id ?? 0],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { status, ...(shop_id ? { shop_id } : {}), ...(pageParam === null ? {} : { before: pageParam }) };
      return answerOf(api.GET("/api/admin/tickets", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.next_before,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

export function ticketQuery(id: number) {
  return queryOptions({
    queryKey: ["shops", "ticket", id],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/tickets/{ticket_id}", { params: { path: { ticket_id: id } }, signal })),
    refetchInterval: REFRESH_MS,
  });
}

export function acknowledge(id: number, note: string | null): Promise<TicketDetail> {
  return answerOf(api.POST("/api/admin/tickets/{ticket_id}/acknowledge", { params: { path: { ticket_id: id } }, body: { note } }));
}

export function closeTicket(id: number, note: string | null): Promise<TicketDetail> {
  return answerOf(api.POST("/api/admin/tickets/{ticket_id}/close", { params: { path: { ticket_id: id } }, body: { note } }));
}
