import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf } from "../api/client";
import { api, type CalendarDay, type Page, type Slot, type WaitingPlace } from "../booking/wire";

const PAGE_SIZE = 200;

export function calendarQuery(month: string, type: number | undefined) {
  return queryOptions({
    queryKey: ["booking", "calendar", month, type ?? null],
    queryFn: async ({ signal }): Promise<CalendarDay[]> => {
      const query = { month, ...(type === undefined ? {} : { reservationTypeId: type }) };
      const answer: { days: CalendarDay[] } = await answerOf(api.GET("/api/admin/slots/calendar", { params: { query }, signal }));
      return answer.days;
    },
    placeholderData: keepPreviousData,
  });
}

/** All slots of some days. A day has some dozens, so that the pages are few. */
export function slotsQuery(from: string, to: string, type: number | undefined) {
  return queryOptions({
    queryKey: ["booking", "slots", from, to, type ?? null],
    queryFn: async ({ signal }): Promise<Slot[]> => {
      const slots: Slot[] = [];
      for (let cursor: string | null = null; ; ) {
        const query = { from, to, limit: PAGE_SIZE, ...(type === undefined ? {} : { reservationTypeId: type }), ...(cursor === null ? {} : { cursor }) };
        const page: Page<Slot> = await answerOf(api.GET("/api/admin/slots", { params: { query }, signal }));
        slots.push(...page.items);
        cursor = page.nextCursor;
        if (cursor === null) return slots;
      }
    },
  });
}

export function slotQuery(slotId: number) {
  return queryOptions({
    queryKey: ["booking", "slot", slotId],
    queryFn: ({ signal }): Promise<Slot> => answerOf(api.GET("/api/admin/slots/{slot_id}", { params: { path: { slot_id: slotId } }, signal })),
  });
}

export function waitingQuery(slotId: number) {
  return queryOptions({
    queryKey: ["booking", "waiting", slotId],
    queryFn: async ({ signal }): Promise<WaitingPlace[]> => {
      const answer: { items: WaitingPlace[] } = await answerOf(api.GET("/api/admin/slots/{slot_id}/waiting", { params: { path: { slot_id: slotId } }, signal }));
      return answer.items;
    },
  });
}
