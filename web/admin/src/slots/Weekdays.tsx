import classes from "../booking/Booking.module.css";
import { weekdayName } from "../booking/days";
import dialogs from "../members/Dialogs.module.css";
import own from "./Slots.module.css";

interface WeekdaysProps {
  /** Monday is 1 and Sunday is 7. */
  chosen: readonly number[];
  change: (weekdays: number[]) => void;
  invalid?: string | undefined;
}

const WEEK = [1, 2, 3, 4, 5, 6, 7];

export function Weekdays({ chosen, change, invalid }: WeekdaysProps) {
  return (
    <fieldset className={classes.fieldset}>
      <legend>曜日</legend>
      <div className={own.weekdays}>
        {WEEK.map((weekday) => (
          <label key={weekday}>
            <input
              type="checkbox"
              aria-label={`${weekdayName(weekday)}曜日`}
              checked={chosen.includes(weekday)}
              onChange={(event) => change(event.currentTarget.checked ? [...chosen, weekday].sort() : chosen.filter((one) => one !== weekday))}
            />
            <span aria-hidden="true">{weekdayName(weekday)}</span>
          </label>
        ))}
      </div>
      {invalid && (
        <p className={dialogs.error} role="alert">
          {invalid}
        </p>
      )}
    </fieldset>
  );
}
