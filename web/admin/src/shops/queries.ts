import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import { CONFIG } from "../config";
import type { CustomersSearch } from "../customers/search";

export type Shop = Answer<"/api/admin/shops/{shop_id}">;
export type Secret = Answer<"/api/admin/shops/{shop_id}/secrets">["secrets"][number];
export type SecretTest = Answer<"/api/admin/shops/{shop_id}/secrets/{key}/test", "post">;
export type Parameter = Answer<"/api/admin/sys-params">["parameters"][number];
export type Ticket = Answer<"/api/admin/tickets">["tickets"][number];
export type Call = Answer<"/api/admin/calls">["calls"][number];
export type CustomerLink = Answer<"/api/admin/customer-links">["links"][number];

export const HAS_SHOPS = CONFIG.features.includes("shops");
const REFRESH_MS = 60_000;
const RECENT = 5;

/** All shops. A light may go on at any time, so the list is read again while it is looked at. Without shops there is none. */
export const shopsQuery = queryOptions({
  queryKey: ["shops", "list"],
  enabled: HAS_SHOPS,
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/shops", { signal })),
  refetchInterval: REFRESH_MS,
});

export function shopQuery(shopId: number) {
  return queryOptions({
    queryKey: ["shops", "shop", shopId],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/shops/{shop_id}", { params: { path: { shop_id: shopId } }, signal })),
    refetchInterval: REFRESH_MS,
  });
}

export function secretsQuery(shopId: number) {
  return queryOptions({
    queryKey: ["shops", "secrets", shopId],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/shops/{shop_id}/secrets", { params: { path: { shop_id: shopId } }, signal })),
  });
}

export function parametersQuery(shopId: number) {
  return queryOptions({
    queryKey: ["shops", "parameters", shopId],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/sys-params", { params: { query: { shop_id: shopId } }, signal })),
  });
}

export function recentTicketsQuery(shopId: number) {
  return queryOptions({
    queryKey: ["shops", "tickets", "of", shopId],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/tickets", { params: { query: { shop_id: shopId, limit: RECENT } }, signal })),
  });
}

export function recentCallsQuery(shopId: number) {
  return queryOptions({
    queryKey: ["shops", "calls", "of", shopId],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/calls", { params: { query: { shop_id: shopId, limit: RECENT } }, signal })),
  });
}

export function customerLinksQuery({ q, shop_id }: CustomersSearch) {
  return infiniteQueryOptions({
    queryKey: ["shops", "customer-links", q ?? "", shop_id ?? 0],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(q ? { query: q } : {}), ...(shop_id ? { shop_id } : {}), ...(pageParam === null ? {} : { before: pageParam }) };
      return answerOf(api.GET("/api/admin/customer-links", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.next_before,
    // While somebody types, the people found so far stay instead of flickering.
    placeholderData: keepPreviousData,
  });
}

/** A change of a shop shows on several screens, so all of them are read again. */
export async function shopsChanged(client: QueryClient): Promise<void> {
  await Promise.all(["shops", "audit-logs"].map((key) => client.invalidateQueries({ queryKey: [key] })));
}

/** The same call; the screens are read again after a refusal too, because they may show what is no longer so. */
export async function thenFresh<T>(client: QueryClient, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } finally {
    void shopsChanged(client);
  }
}
