import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { bookingChanged } from "../booking/queries";
import type { Attendance, Reservation } from "../booking/shapes";
import { noteAttendance } from "./queries";

export const ATTENDANCE_WORDS: Record<"came" | "absent" | "none", string> = { came: "来た", absent: "来なかった", none: "未確認" };

/** One tap notes whether somebody came; the list shows it at once and says it to screen readers. */
export function useAttendance() {
  const client = useQueryClient();
  const [said, setSaid] = useState("");
  const noting = useMutation({
    mutationFn: ({ reservation, attendance }: { reservation: Reservation; attendance: Attendance }) => noteAttendance(reservation.id, attendance),
    onMutate: ({ reservation, attendance }) => {
      client.setQueriesData<Reservation[] | { items: Reservation[] }>({ queryKey: ["booking", "reservations"] }, (known) =>
        Array.isArray(known) ? known.map((one) => (one.id === reservation.id ? { ...one, attendance } : one)) : known,
      );
    },
    onSuccess: (_answer, { reservation, attendance }) => setSaid(`${reservation.fullName}さん：${ATTENDANCE_WORDS[attendance ?? "none"]}`),
    onSettled: () => bookingChanged(client),
  });
  return {
    note: (reservation: Reservation, attendance: Attendance) => noting.mutate({ reservation, attendance }),
    said,
    error: noting.error,
  };
}
