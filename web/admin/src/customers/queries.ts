import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client";

const LATEST = 200;

/** Those who wrote to us last: whoever stands in the shop now is among them. */
export const lineFriendsQuery = queryOptions({
  queryKey: ["links", "line-friends"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/line/friends", { params: { query: { limit: LATEST } }, signal }))).items,
});
