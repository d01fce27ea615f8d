import { queryOptions } from "@tanstack/react-query";
import type { Answer, Body } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import { DEFAULT_LABEL, type Draft } from "./draft/draft";
import { heldAt } from "./rules/held-at";

export type Audience = Answer<"/api/admin/audiences">["items"][number];
export type Member = Answer<"/api/admin/members">["items"][number];
export type Candidate = Answer<"/api/admin/recipients/candidates">["items"][number];
export type Preview = Answer<"/api/admin/events/preview", "post">;

/** What both the preview and the event itself are made of. */
export function requestFields(draft: Draft, memberIds: readonly number[]) {
  return {
    title: draft.title.trim(),
    held_at: heldAt(draft.date, draft.time) ?? "",
    body: draft.body,
    extra_text_enabled: draft.memo,
    extra_text_label: draft.memoLabel.trim() || DEFAULT_LABEL,
    extra_text_attend_only: draft.memoAttendOnly,
    target_member_ids: [...memberIds],
  } satisfies Body<"/api/admin/events/preview", "post">;
}

// Under the same first word as wherever else the console reads these, so that a change there is seen here.
export const audiencesQuery = queryOptions({
  queryKey: ["audiences", "choices"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/audiences", { signal })),
});

export const membersQuery = queryOptions({
  queryKey: ["members", "reach"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/members", { signal })),
});

/** Everybody of the groups, also who cannot be reached: an absent name would be looked for. */
export function candidatesQuery(everybody: boolean, audienceIds: readonly number[]) {
  const query = {
    all: everybody ? 1 : 0,
    audience_ids: everybody ? "" : audienceIds.join(","),
    require_line: 0,
    require_target: 0,
  } as const;
  return queryOptions({
    queryKey: ["recipients", query],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/recipients/candidates", { params: { query }, signal })),
  });
}

export function previewQuery(fields: ReturnType<typeof requestFields>) {
  return queryOptions({
    queryKey: ["event-preview", fields],
    queryFn: ({ signal }) => answerOf(api.POST("/api/admin/events/preview", { body: fields, signal })),
    // The quota is what LINE says now, and the page may stand open for long before somebody presses the button.
    staleTime: 0,
  });
}

export const accountQuery = queryOptions({
  queryKey: ["line-account"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/line/account", { signal }))).display_name,
  // A name above a picture: it is not worth a second try.
  retry: false,
});

export function progressQuery(eventId: number) {
  return queryOptions({
    queryKey: ["event-progress", eventId],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/events/{event_id}", { params: { path: { event_id: eventId } }, signal })),
    staleTime: 0,
    refetchInterval: 1000,
  });
}
