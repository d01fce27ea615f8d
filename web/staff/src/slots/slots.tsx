import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { useLoad } from "../../../kit/load";
import { here } from "../../../kit/router";
import { useOverlay } from "../../../kit/use-overlay";
import type { Reservation, Slot } from "../api/shapes";
import { formatDay, isDay, today, weekOf } from "../days";
import { StaffError, StaffLoading } from "../frame/states";
import { StaffScreen } from "../frame/staff-screen";
import { Outdated } from "../parts/outdated";
import { useSession } from "../session/session";
import { SlotList } from "./slot-list";
import { SlotSheet } from "./slot-sheet";
import { firstDay, isFree, typesOf } from "./slot-words";
import { TypeFilter } from "./type-filter";
import { useWeek } from "./use-week";
import { WeekStrip } from "./week-strip";

interface SlotsProps {
  title: string;
  /** The reservation that looks for another slot, so that only its type is shown. */
  moving?: Reservation | null;
  back?: ComponentChildren;
  children?: ComponentChildren;
}

/** The calendar of slots. Without a day in the address it opens at the first day with a seat. */
export function Slots(props: SlotsProps): JSX.Element {
  const { api } = useSession();
  const [state, reload] = useLoad(() => api.nextSlots(today()));
  if (state.kind === "loading") return <StaffLoading back={props.back} />;
  if (state.kind === "failed") return <StaffError error={state.error} retry={reload} back={props.back} />;
  const type = props.moving?.reservationTypeId ?? null;
  const next = type === null ? state.value : state.value.filter(({ reservationTypeId }) => reservationTypeId === type);
  return <Calendar {...props} next={next} />;
}

function dayInAddress(): string | null {
  const day = new URLSearchParams(location.search).get("day") ?? "";
  return isDay(day) && day >= today() ? day : null;
}

/** A reminder leads to one type. A type without slots is ignored, because the list would be empty without a reason. */
function typeInAddress(slots: readonly Slot[]): number | null {
  const type = Number(new URLSearchParams(location.search).get("type"));
  return slots.some(({ reservationTypeId }) => reservationTypeId === type) ? type : null;
}

function Calendar({ title, moving = null, back, children, next }: SlotsProps & { next: readonly Slot[] }): JSX.Element {
  const [type, setType] = useState<number | null>(() => moving?.reservationTypeId ?? typeInAddress(next));
  const ofType = next.filter(({ reservationTypeId }) => type === null || reservationTypeId === type);
  const [day, setDay] = useState(() => dayInAddress() ?? firstDay(ofType, today()));
  const [chosen, setChosen] = useState<Slot | null>(null);
  const sheet = useOverlay();
  const week = weekOf(day);
  const { slots, error, reload } = useWeek(week);
  const types = typesOf([...next, ...(slots ?? [])]);
  const shown = slots?.filter(({ reservationTypeId }) => type === null || reservationTypeId === type) ?? null;
  const ofDay = shown?.filter(({ serviceDateLocal }) => serviceDateLocal === day) ?? [];

  const choose = (other: string) => {
    setDay(other);
    // A reload and the way back find the same day; taps on days do not fill the history.
    const address = new URLSearchParams(type === null || moving ? { day: other } : { type: String(type), day: other });
    history.replaceState(here(), "", `${location.pathname}?${address}`);
  };

  return (
    <StaffScreen title={title} back={back} wide>
      {children}
      {!moving && types.length > 1 && <TypeFilter types={types} chosen={type} onChoose={setType} />}
      <WeekStrip week={week} chosen={day} slots={shown} moving={moving?.id ?? null} onChoose={choose} />
      {error !== null && <Outdated text={slots === null ? "予約枠を読み込めませんでした。" : "新しい空き状況を受け取れませんでした。"} retry={reload} />}
      <h2 class="day-heading" aria-live="polite">
        {formatDay(day)}
      </h2>
      {shown === null && error === null && (
        <div role="status" aria-label="読み込んでいます">
          <div class="skeleton slot-skeleton" />
          <div class="skeleton slot-skeleton" />
        </div>
      )}
      {shown !== null && ofDay.length > 0 && (
        <SlotList
          slots={ofDay}
          withType={types.length > 1}
          moving={moving?.id ?? null}
          onChoose={(slot) => {
            setChosen(slot);
            sheet.show();
          }}
        />
      )}
      {shown !== null && ofDay.length === 0 && <NoSlots day={day} type={type} next={next} week={shown} onChoose={choose} />}
      {sheet.open && chosen && (
        <SlotSheet
          key={chosen.id}
          slot={slots?.find(({ id }) => id === chosen.id) ?? chosen}
          moving={moving}
          onClose={sheet.close}
          onChanged={reload}
        />
      )}
    </StaffScreen>
  );
}

interface NoSlotsProps {
  day: string;
  type: number | null;
  next: readonly Slot[];
  week: readonly Slot[];
  onChoose: (day: string) => void;
}

/** Leads to the next day that has a seat. */
function NoSlots({ day, type, next, week, onChoose }: NoSlotsProps): JSX.Element {
  const known = [...week, ...next].filter((slot) => isFree(slot) && (type === null || slot.reservationTypeId === type));
  const days = [...new Set(known.map(({ serviceDateLocal }) => serviceDateLocal))].sort();
  const other = days.find((found) => found > day) ?? days.find((found) => found >= today());
  return (
    <div class="card">
      <p>この日に予約枠はありません。{other === undefined && "いま予約できる枠は、ほかの日にもありません。"}</p>
      {other === undefined ? (
        <p class="note">枠が公開されると、ここに表示されます。お急ぎのときは、担当者にお問い合わせください。</p>
      ) : (
        <div class="actions">
          <button type="button" class="button" onClick={() => onChoose(other)}>
            {formatDay(other)} を見る
          </button>
        </div>
      )}
    </div>
  );
}
