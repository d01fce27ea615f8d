import type { JSX } from "preact";

interface NumberPadProps {
  onDigit: (digit: string) => void;
  onErase: () => void;
}

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** For a thumb, and for a touch screen without a keyboard. It does not take the focus away from the field. */
export function NumberPad({ onDigit, onErase }: NumberPadProps): JSX.Element {
  const keepFocus = (event: Event) => event.preventDefault();
  const key = (digit: string) => (
    <button key={digit} type="button" class="pad-key" onPointerDown={keepFocus} onMouseDown={keepFocus} onClick={() => onDigit(digit)}>
      {digit}
    </button>
  );
  return (
    <div class="pad" role="group" aria-label="数字のボタン">
      {KEYS.map(key)}
      <span />
      {key("0")}
      <button type="button" class="pad-key pad-erase" aria-label="1文字消す" onPointerDown={keepFocus} onMouseDown={keepFocus} onClick={onErase}>
        <svg viewBox="0 0 24 24" width="28" height="28" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
          <path d="M9 5h11v14H9l-6-7zM11 9.5l5 5m0-5-5 5" />
        </svg>
      </button>
    </div>
  );
}
