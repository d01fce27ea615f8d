import type { JSX } from "preact";
import { formatWithWeekday } from "../../../kit/dates";
import type { WaitingPlace } from "../api/shapes";
import { formatSpan } from "../days";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { useSession } from "../session/session";

/** Slots whose seats the person waits for. */
export function WaitingList({ places, onChanged }: { places: readonly WaitingPlace[]; onChanged: () => void }): JSX.Element {
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting" class="past-heading">
        空き待ち
      </h2>
      <ul class="rows">
        {places.map((place) => (
          <Place key={place.id} place={place} onChanged={onChanged} />
        ))}
      </ul>
    </section>
  );
}

function Place({ place, onChanged }: { place: WaitingPlace; onChanged: () => void }): JSX.Element {
  const { api } = useSession();
  const { state, run } = useAction();
  const stop = async () => {
    await run((key) => api.stopWaiting(place.id, key));
    onChanged();
  };
  return (
    <li class="row waiting-place">
      <span class="row-words">
        <span class="row-title">{place.reservationTypeName}</span>
        <span class="row-date">{formatSpan(place)}</span>
        <span class="row-date">
          {place.position === null ? "" : `${place.position}番目。`}
          {formatWithWeekday(place.promotionUntil)} までに空くと、自動で予約が確定します。
        </span>
        <ActionTrouble state={state} />
      </span>
      <button
        type="button"
        class="button button-small button-quiet"
        aria-disabled={state.kind === "sending"}
        aria-label={`${formatSpan(place)} を待つのをやめる`}
        onClick={stop}
      >
        やめる
      </button>
    </li>
  );
}
