import type { JSX } from "preact";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { useSession } from "../session/session";

/** The reservation as a file for the calendar of the device. */
export function CalendarButton({ id }: { id: number }): JSX.Element {
  const { api } = useSession();
  const { state, run } = useAction();
  const download = () => run(async () => save(await api.calendarFile(id), `reservation-${id}.ics`));
  return (
    <div class="actions">
      <button type="button" class="button button-quiet" aria-disabled={state.kind === "sending"} onClick={download}>
        カレンダーに入れる
      </button>
      <ActionTrouble state={state} />
    </div>
  );
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the file a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
