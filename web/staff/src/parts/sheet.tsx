import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface SheetProps {
  title: string;
  /** The back button, Escape and a tap beside the sheet ask for it. */
  onClose: () => void;
  children: ComponentChildren;
}

/** Something to decide, over the screen: at the bottom of a phone, in the middle of a wide window. */
export function Sheet({ title, onClose, children }: SheetProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    // Old phones have no modal dialogs; there it is an ordinary part of the page.
    if (shown?.showModal) shown.showModal();
    else shown?.setAttribute("open", "");
    heading.current?.focus({ preventScroll: true });
    return () => {
      shown?.close?.();
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div class="sheet-inside">
        <h2 ref={heading} id={id} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
