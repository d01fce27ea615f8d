import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client";

/** The server's largest page. */
const PAGE_SIZE = 200;

export const departmentsQuery = queryOptions({
  queryKey: ["booking", "departments"],
  queryFn: ({ signal }) => allPages((cursor) => answerOf(api.GET("/api/admin/departments", { params: { query: cursor }, signal }))),
});

export const typesQuery = queryOptions({
  queryKey: ["booking", "types"],
  queryFn: ({ signal }) => allPages((cursor) => answerOf(api.GET("/api/admin/reservation-types", { params: { query: cursor }, signal }))),
});

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** Everything of a list that is short enough to be shown at once: departments, types, the slots or people of a day. `most`: where to stop. */
export async function allPages<Item>(page: (cursor: { limit: number; cursor?: string }) => Promise<Page<Item>>, most = Infinity): Promise<Item[]> {
  const items: Item[] = [];
  for (let next: string | null = null; ; ) {
    const answer: Page<Item> = await page({ limit: PAGE_SIZE, ...(next === null ? {} : { cursor: next }) });
    items.push(...answer.items);
    next = answer.nextCursor;
    if (next === null || items.length >= most) return items;
  }
}

/** A change of a slot, a reservation or a person shows on several screens, so all of them are read again. */
export async function bookingChanged(client: QueryClient): Promise<void> {
  await Promise.all(["booking", "audit-logs"].map((key) => client.invalidateQueries({ queryKey: [key] })));
}
