import { Button } from "@mantine/core";
import { useState } from "react";
import { usePrinting } from "../paper/printing";
import { slotText } from "../threads/slot-times";
import type { Board, BoardSlot } from "../threads/thread";
import classes from "./Board.module.css";
import { commonText, promising, slotWords } from "./words";

const MANY = 8;
const FEW = 6;

interface SlotsPanelProps {
  board: Board;
  past: boolean;
  decide: (slot: BoardSlot) => void;
  remove: (slot: BoardSlot) => void;
  add: () => void;
}

/** The dates one by one: how they stand, what is missing, and the way to decide. */
export function SlotsPanel({ board, past, decide, remove, add }: SlotsPanelProps) {
  const { status } = board.thread;
  const [all, setAll] = useState(false);
  const many = board.slots.length > MANY;
  const printing = usePrinting();
  const shown = many && !all && !printing ? promising(board.slots, board.evaluation, FEW) : board.slots;
  const open = status === "active" || status === "draft";
  const common = commonText(shown.map((slot) => slotWords(slot, board).text));
  return (
    <section aria-labelledby="thread-slots">
      <div className={classes.panelHead}>
        <h2 id="thread-slots">
          候補日 <span className="figures">{board.slots.length}</span>個
        </h2>
        {open && !past && (
          <Button variant="default" size="sm" onClick={add}>
            候補日を追加
          </Button>
        )}
      </div>
      {board.slots.length === 0 && <p className={classes.empty}>候補日がありません。「候補日を追加」から選んでください。</p>}
      {common !== null && <p className={classes.common}>どの候補日も：{common}</p>}
      <ul className={classes.slots}>
        {shown.map((slot) => {
          const { text, tone } = slotWords(slot, board);
          const name = slotText(slot);
          return (
            <li key={slot.slot_id} data-tone={tone}>
              <div className={classes.slotName}>
                <strong className="figures">{name}</strong>
                {text !== "" && text !== common && <small>{text}</small>}
              </div>
              <Tally slot={slot} people={board.people.length} maybe={board.thread.maybe_allowed} />
              {!past && (
                <div className={classes.slotActions}>
                  {status === "active" && !slot.begun && (
                    <Button variant={tone === "good" ? "filled" : "default"} size="compact-md" aria-label={`${name}に決定する`} onClick={() => decide(slot)}>
                      決定する
                    </Button>
                  )}
                  {open && (
                    <Button variant="subtle" size="compact-md" color="var(--red)" aria-label={`${name}を候補から外す`} onClick={() => remove(slot)}>
                      外す
                    </Button>
                  )}
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {many && (
        <Button variant="subtle" size="sm" mt="xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `見込みのある${FEW}個だけを見る` : `ほかの${board.slots.length - FEW}個も見る`}
        </Button>
      )}
    </section>
  );
}

function Tally({ slot, people, maybe }: { slot: BoardSlot; people: number; maybe: boolean }) {
  const share = (count: number) => ({ width: `${people === 0 ? 0 : (count / people) * 100}%` });
  return (
    <div className={classes.tally}>
      <p>
        <span data-mark="yes">○ {slot.yes}</span>
        {(maybe || slot.maybe > 0) && <span data-mark="maybe">△ {slot.maybe}</span>}
        <span data-mark="no">× {slot.no}</span>
      </p>
      <div aria-hidden="true">
        <span data-mark="yes" style={share(slot.yes)} />
        <span data-mark="maybe" style={share(slot.maybe)} />
        <span data-mark="no" style={share(slot.no)} />
      </div>
    </div>
  );
}
