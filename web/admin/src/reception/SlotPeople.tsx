import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import classes from "../booking/Booking.module.css";
import { rangeText } from "../booking/days";
import type { Slot } from "../booking/shapes";
import { Failure } from "../frame/Failure";
import { Refusal } from "../members/Refusal";
import { BookDialog } from "./BookDialog";
import { PeopleTable } from "./PeopleTable";
import { liveReservationsQuery } from "./queries";
import { useAttendance } from "./useAttendance";

/** Who has a seat in a slot. */
export function SlotPeople({ slot }: { slot: Slot }) {
  const { data, error, refetch } = useQuery(liveReservationsQuery({ slotId: slot.id }));
  const attendance = useAttendance();
  const [booking, setBooking] = useState(false);
  return (
    <section aria-labelledby="slot-people">
      <div className={classes.cardHead}>
        <h2 id="slot-people">予約した方</h2>
        <Button variant="default" size="sm" disabled={slot.seatsLeft === 0} onClick={() => setBooking(true)}>
          {slot.seatsLeft === 0 ? "満席です" : "代わりに予約する"}
        </Button>
      </div>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {attendance.error && <Refusal title="記録できませんでした" error={attendance.error} />}
      {data?.length === 0 && <p className={classes.emptyLine}>予約した方はいません。</p>}
      {data && data.length > 0 && <PeopleTable people={data} label={rangeText(slot)} attendance={attendance} />}
      <p className={classes.hidden} role="status">
        {attendance.said}
      </p>
      <BookDialog slot={slot} opened={booking} close={() => setBooking(false)} />
    </section>
  );
}
