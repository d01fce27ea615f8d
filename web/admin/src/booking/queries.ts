import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { answerOf } from "../api/client";
import { api, type Department, type Page, type ReservationType } from "./wire";

/** Departments and types are few, so one request brings all of them. */
const ALL = 200;

export const departmentsQuery = queryOptions({
  queryKey: ["booking", "departments"],
  queryFn: async ({ signal }) => allPages<Department>("/api/admin/departments", signal),
});

export const typesQuery = queryOptions({
  queryKey: ["booking", "types"],
  queryFn: async ({ signal }) => allPages<ReservationType>("/api/admin/reservation-types", signal),
});

async function allPages<Item>(path: string, signal: AbortSignal): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ; ) {
    const query: object = { limit: ALL, ...(cursor === null ? {} : { cursor }) };
    const page: Page<Item> = await answerOf(api.GET(path, { params: { query }, signal }));
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === null) return items;
  }
}

/** A change of a slot, a reservation or a person shows on several screens, so all of them are read again. */
export async function bookingChanged(client: QueryClient): Promise<void> {
  await Promise.all(["booking", "audit-logs"].map((key) => client.invalidateQueries({ queryKey: [key] })));
}
