import { queryOptions } from "@tanstack/react-query";
import { answerOf } from "../api/client";
import { api, type Attendance, type Page, type Reservation } from "../booking/wire";

const PAGE_SIZE = 200;

interface Wanted {
  from?: string;
  to?: string;
  slotId?: number;
  reservationTypeId?: number;
}

/** All live reservations of a day or of a slot. They are read again now and then: several people stand at the reception. */
export function liveReservationsQuery(wanted: Wanted) {
  return queryOptions({
    queryKey: ["booking", "reservations", wanted],
    queryFn: async ({ signal }): Promise<Reservation[]> => {
      const found: Reservation[] = [];
      for (let cursor: string | null = null; ; ) {
        const query = { ...wanted, state: "live", limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
        const page: Page<Reservation> = await answerOf(api.GET("/api/admin/reservations", { params: { query }, signal }));
        found.push(...page.items);
        cursor = page.nextCursor;
        if (cursor === null) return found;
      }
    },
    refetchInterval: 30_000,
  });
}

export async function noteAttendance(reservationId: number, attendance: Attendance): Promise<Reservation> {
  const params = { path: { reservation_id: reservationId } };
  return await answerOf(api.PUT("/api/admin/reservations/{reservation_id}/attendance", { params, body: { attendance } }));
}
