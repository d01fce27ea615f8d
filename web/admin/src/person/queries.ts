import { infiniteQueryOptions, keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";

export type PersonPageData = Answer<"/api/admin/people/{kind}/{id}">;
export type ShownRecord = PersonPageData["records"][number];
export type PersonLink = PersonPageData["links"][number];
export type Suggestion = PersonPageData["suggestions"][number];
export type DecidedApart = PersonPageData["decided_apart"][number];
export type RecordItem = Suggestion["record"];
export type RecordName = Suggestion["beside"];
export type RecordKey = Pick<RecordName, "kind" | "id">;
export type FoundGroup = Answer<"/api/admin/people">["groups"][number];
export type Finding = Answer<"/api/admin/people/drift">["findings"][number];

const FEW = 20;
const MANY = 200;
const DRIFT_PAGE = 50;

/** `whole`: the kind of which everybody is asked for, as far as a list can show. */
export function peopleQuery(words: string, whole: RecordKey["kind"] | undefined) {
  return queryOptions({
    queryKey: ["people", "search", words, whole ?? null],
    queryFn: ({ signal }) => {
      const query = whole ? { query: words, kind: whole, limit: MANY } : { query: words, limit: FEW };
      return answerOf(api.GET("/api/admin/people", { params: { query }, signal }));
    },
    enabled: words !== "",
    // While somebody types, the people found so far stay instead of flickering.
    placeholderData: keepPreviousData,
  });
}

export function personQuery({ kind, id }: RecordKey) {
  return queryOptions({
    queryKey: ["people", "person", kind, id],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/people/{kind}/{id}", { params: { path: { kind, id } }, signal })),
  });
}

export type ErasurePlan = Answer<"/api/admin/people/{kind}/{id}/erasure">;

/** What erasing would do. It is asked for anew each time: somebody decides by it. */
export function erasureQuery({ kind, id }: RecordKey) {
  return queryOptions({
    queryKey: ["people", "erasure", kind, id],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/people/{kind}/{id}/erasure", { params: { path: { kind, id } }, signal })),
    staleTime: 0,
    gcTime: 0,
  });
}

export const driftQuery = queryOptions({
  queryKey: ["people", "drift"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/people/drift", { signal })),
});

export function findingQuery(finding: string) {
  return infiniteQueryOptions({
    queryKey: ["people", "drift", finding],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { finding, limit: DRIFT_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return answerOf(api.GET("/api/admin/people/drift", { params: { query }, signal }));
    },
    getNextPageParam: (last) => last.findings[0]?.next_cursor ?? null,
  });
}

/** A decision shows on the pages of both, and in the report. */
export function decisionsChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ["people"] });
}
