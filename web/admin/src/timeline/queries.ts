import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";

export type TimelineItem = Answer<"/api/admin/reservations/{reservation_id}/timeline">["items"][number];

export function timelineQuery(reservationId: number) {
  return queryOptions({
    queryKey: ["booking", "timeline", reservationId],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/reservations/{reservation_id}/timeline", { params: { path: { reservation_id: reservationId } }, signal })),
  });
}
