import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../api/client";
import { allPages } from "../booking/queries";
import type { Attendance, Reservation } from "../booking/shapes";

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
    queryFn: ({ signal }) =>
      allPages((cursor) => answerOf(api.GET("/api/admin/reservations", { params: { query: { ...wanted, ...cursor, state: "live" } }, signal }))),
    refetchInterval: 30_000,
  });
}

export async function noteAttendance(reservationId: number, attendance: Attendance): Promise<Reservation> {
  const params = { path: { reservation_id: reservationId } };
  return await answerOf(api.PUT("/api/admin/reservations/{reservation_id}/attendance", { params, body: { attendance } }));
}
