import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client";
import { allPages } from "../booking/queries";
import type { SlotStatus } from "../booking/shapes";

export function calendarQuery(month: string, type: number | undefined) {
  return queryOptions({
    queryKey: ["booking", "calendar", month, type ?? null],
    queryFn: async ({ signal }) => {
      const query = { month, ...(type === undefined ? {} : { reservationTypeId: type }) };
      return (await answerOf(api.GET("/api/admin/slots/calendar", { params: { query }, signal }))).days;
    },
    placeholderData: keepPreviousData,
  });
}

/** All slots of some days. */
export function slotsQuery(from: string, to: string, type: number | undefined) {
  return queryOptions({
    queryKey: ["booking", "slots", from, to, type ?? null],
    queryFn: ({ signal }) =>
      allPages((cursor) => {
        const query = { from, to, ...cursor, ...(type === undefined ? {} : { reservationTypeId: type }) };
        return answerOf(api.GET("/api/admin/slots", { params: { query }, signal }));
      }),
  });
}

/** The API changes at most so many at once. */
export const MOST_SLOTS = 5_000;

/** The slots of a period, as many as can be changed at once. */
export function manySlotsQuery({ from, to, type, status }: { from: string; to: string; type: number | undefined; status: SlotStatus | undefined }) {
  return queryOptions({
    queryKey: ["booking", "slots", from, to, type ?? null, status ?? null],
    queryFn: ({ signal }) =>
      allPages(
        (cursor) => {
          const query = { from, to, ...cursor, ...(type === undefined ? {} : { reservationTypeId: type }), ...(status === undefined ? {} : { status }) };
          return answerOf(api.GET("/api/admin/slots", { params: { query }, signal }));
        },
        MOST_SLOTS,
      ),
    placeholderData: keepPreviousData,
  });
}

export function slotQuery(slotId: number) {
  return queryOptions({
    queryKey: ["booking", "slot", slotId],
    queryFn: ({ signal }) => answerOf(api.GET("/api/admin/slots/{slot_id}", { params: { path: { slot_id: slotId } }, signal })),
  });
}

export function waitingQuery(slotId: number) {
  return queryOptions({
    queryKey: ["booking", "waiting", slotId],
    queryFn: async ({ signal }) => (await answerOf(api.GET("/api/admin/slots/{slot_id}/waiting", { params: { path: { slot_id: slotId } }, signal }))).items,
  });
}
