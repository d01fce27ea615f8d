import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import type { TextKey } from "./search";

export type TextDetail = Answer<"/api/admin/notifications/templates/{template_key}">;
export type TextPreview = Answer<"/api/admin/notifications/templates/{template_key}/preview", "post">;
export type Placeholder = Answer<"/api/admin/notifications/templates">["placeholders"][number];

export const textsQuery = queryOptions({
  queryKey: ["notice-texts"],
  queryFn: ({ signal }) => answerOf(api.GET("/api/admin/notifications/templates", { signal })),
});

export function textQuery(key: TextKey) {
  return queryOptions({
    queryKey: ["notice-texts", key],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/notifications/templates/{template_key}", { params: { path: { template_key: key } }, signal })),
  });
}

/** The server fills in sample values and says what is wrong, by the same code that sends. */
export function textPreviewQuery(key: TextKey, body: string) {
  return queryOptions({
    queryKey: ["notice-text-preview", key, body],
    queryFn: ({ signal }) => answerOf(api.POST("/api/admin/notifications/templates/{template_key}/preview", { params: { path: { template_key: key } }, body: { body }, signal })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

/** Null goes back to the built-in text. */
export function saveText(key: TextKey, body: string | null): Promise<TextDetail> {
  return answerOf(api.PUT("/api/admin/notifications/templates/{template_key}", { params: { path: { template_key: key } }, body: { body } }));
}

export async function textSaved(client: QueryClient, key: TextKey, saved: TextDetail): Promise<void> {
  client.setQueryData(textQuery(key).queryKey, saved);
  await Promise.all([client.invalidateQueries({ queryKey: ["notice-texts"], exact: true }), client.invalidateQueries({ queryKey: ["audit-logs"] })]);
}
