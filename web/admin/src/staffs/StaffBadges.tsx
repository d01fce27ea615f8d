import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import type { Staff } from "../booking/shapes";
import { STAFF_STATUS_NAMES } from "../booking/words";
import { STATE_NAMES } from "./search";
import { isUnconfirmed } from "./state";

/** What the office should know about a person at a glance. */
export function StaffBadges({ staff }: { staff: Staff }) {
  return (
    <span className={classes.badges}>
      <Badge tone={staff.status === "active" ? "good" : "plain"}>{STAFF_STATUS_NAMES[staff.status] ?? staff.status}</Badge>
      {staff.locked && <Badge tone="bad">{STATE_NAMES.locked}</Badge>}
      {isUnconfirmed(staff) && <Badge tone="warn">{STATE_NAMES.unconfirmed}</Badge>}
      {staff.pinMustChange && staff.status === "active" && <Badge tone="warn">{STATE_NAMES.initialPin}</Badge>}
      {staff.missing.length > 0 && staff.status === "active" && <Badge tone="warn">{STATE_NAMES.incomplete}</Badge>}
    </span>
  );
}
