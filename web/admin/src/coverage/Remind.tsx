import { Button } from "@mantine/core";
import { useState } from "react";
import classes from "../booking/Booking.module.css";
import { peopleCount } from "../event-detail/event";
import { Notice } from "../frame/Notice";
import type { ReminderAudience } from "./queries";
import { ReminderDialog } from "./ReminderDialog";
import { queuedText } from "./reminders";

interface RemindProps {
  audience: ReminderAudience;
  /** The department that is looked at, in words. */
  department: string | undefined;
  missing: number;
}

/** One button that leads to those who have not booked, and what became of it. */
export function Remind({ audience, department, missing }: RemindProps) {
  const [opened, setOpened] = useState(false);
  const [told, setTold] = useState<string | null>(null);
  const about = `${department === undefined ? "" : `${department}の、`}まだ予約していない${peopleCount(missing)}`;
  return (
    <>
      {missing > 0 && (
        <div className={classes.toolbar}>
          <Button onClick={() => setOpened(true)}>まだの人に知らせる</Button>
          <p>{about}に、予約をお願いできます。届く人数は、送る前に確かめられます。</p>
        </div>
      )}
      <div role="status">
        {told !== null && (
          <Notice tone="success" className={classes.notice}>
            {told}
          </Notice>
        )}
      </div>
      <ReminderDialog opened={opened} close={() => setOpened(false)} audience={audience} about={about} done={(result) => setTold(queuedText(result))} />
    </>
  );
}
