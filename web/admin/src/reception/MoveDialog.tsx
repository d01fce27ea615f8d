import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { answerOf, api } from "../api/client";
import { addDays, dayText, rangeText, today } from "../booking/days";
import { ReasonDialog } from "../booking/ReasonDialog";
import type { Reservation, Slot } from "../booking/shapes";
import { Failure } from "../frame/Failure";
import { slotsQuery } from "../slots/queries";

const USUAL = ["本人からの申し出", "勤務の変更のため", "会場の都合のため"] as const;
const DAYS_AHEAD = 120;

export function MoveDialog({ reservation, close }: { reservation: Reservation | null; close: () => void }) {
  const last = useRef(reservation);
  if (reservation) last.current = reservation;
  const shown = reservation ?? last.current;
  return shown ? <Move key={shown.id} reservation={shown} opened={reservation !== null} close={close} /> : null;
}

function Move({ reservation, opened, close }: { reservation: Reservation; opened: boolean; close: () => void }) {
  const from = today();
  const query = useQuery({ ...slotsQuery(from, addDays(from, DAYS_AHEAD), reservation.reservationTypeId), enabled: opened });
  const slots = (query.data ?? []).filter((slot) => slot.id !== reservation.slotId && slot.status === "published" && slot.seatsLeft > 0);
  const [slotId, setSlotId] = useState("");
  return (
    <ReasonDialog
      opened={opened}
      close={close}
      title="別の枠に移す"
      usual={USUAL}
      action="この枠に移す"
      run={async (reason) => {
        if (slotId === "") throw new Error("no slot was chosen");
        const params = { path: { reservation_id: reservation.id } };
        return await answerOf(api.PATCH("/api/admin/reservations/{reservation_id}", { params, body: { slotId: Number(slotId), reason } }));
      }}
      ready={slotId !== ""}
    >
      <p>
        <strong>{reservation.fullName}</strong>さんの予約を、{dayText(reservation.serviceDateLocal)} {rangeText(reservation)}から移します。移せないときは、いまの予約がそのまま残ります。
      </p>
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      <NativeSelect label="移す先" size="md" value={slotId} onChange={(event) => setSlotId(event.currentTarget.value)}>
        <option value="">{query.data && slots.length === 0 ? "席のある枠がありません" : "選んでください"}</option>
        {slots.map((slot) => (
          <option key={slot.id} value={slot.id}>
            {slotText(slot)}
          </option>
        ))}
      </NativeSelect>
    </ReasonDialog>
  );
}

function slotText(slot: Slot): string {
  return `${dayText(slot.serviceDateLocal)} ${rangeText(slot)}（残り${slot.seatsLeft}席）`;
}
