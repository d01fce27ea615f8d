import { useLayoutEffect, useRef, useState } from "react";
import { Refusal } from "../members/Refusal";
import { AudienceRow } from "./AudienceRow";
import classes from "./AudiencesPage.module.css";
import type { Audience } from "./queries";
import { useOrder } from "./useOrder";

interface AudienceListProps {
  audiences: Audience[];
  rename: (audience: Audience) => void;
  remove: (audience: Audience) => void;
}

/** Sorted with the mouse or with buttons; both say what they did to screen readers. */
export function AudienceList({ audiences, rename, remove }: AudienceListProps) {
  const { move, said, error } = useOrder(audiences);
  const [dragged, setDragged] = useState<number | null>(null);
  const [gap, setGap] = useState<number | null>(null);
  const pressed = useRef<HTMLButtonElement | null>(null);
  // A row that moves in the document loses the focus, and the next press would go nowhere.
  useLayoutEffect(() => {
    pressed.current?.focus();
    pressed.current = null;
  }, [audiences]);
  const end = () => {
    setDragged(null);
    setGap(null);
  };
  function drop(): void {
    const from = audiences.findIndex(({ id }) => id === dragged);
    // The gap is counted with the dragged row still in its place.
    const to = gap === null ? from : gap > from ? gap - 1 : gap;
    if (dragged !== null && to !== from) move(dragged, to);
    end();
  }
  return (
    <>
      {error && <Refusal title="並び順を保存できませんでした" error={error} />}
      <ol className={classes.list} aria-label="グループ" onDrop={drop} onDragOver={(event) => dragged !== null && event.preventDefault()}>
        {audiences.map((audience, index) => (
          <AudienceRow
            key={audience.id}
            audience={audience}
            index={index}
            total={audiences.length}
            mark={dragged === null ? undefined : gap === index ? "before" : gap === index + 1 && index + 1 === audiences.length ? "after" : undefined}
            dragged={dragged === audience.id}
            move={(to, button) => {
              pressed.current = button;
              move(audience.id, to);
            }}
            drag={{ begin: () => setDragged(audience.id), over: setGap, end }}
            rename={rename}
            remove={remove}
          />
        ))}
      </ol>
      <p className={classes.hidden} role="status">
        {said}
      </p>
    </>
  );
}
