import type { JSX } from "preact";
import type { Reservation } from "../api/shapes";
import { Sheet } from "../parts/sheet";
import { CancelQuestion } from "./cancel-question";

interface CancelSheetProps {
  reservation: Reservation;
  onClose: () => void;
  onChanged: () => void;
}

export function CancelSheet({ reservation, onClose, onChanged }: CancelSheetProps): JSX.Element {
  const done = () => {
    onChanged();
    onClose();
  };
  return (
    <Sheet title="この予約を取り消しますか？" onClose={onClose}>
      <CancelQuestion reservation={reservation} onKeep={onClose} onDone={done} onRefused={onChanged} />
    </Sheet>
  );
}
