import { useId } from "preact/hooks";

interface SwitchRowProps {
  label: string;
  words: string;
  on: boolean;
  disabled: boolean;
  onTurn: (on: boolean) => void;
}

export function SwitchRow({ label, words, on, disabled, onTurn }: SwitchRowProps) {
  const id = useId();
  return (
    <li class={`switch-row ${on ? "on" : ""}`}>
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={on}
        aria-describedby={id}
        // Not the attribute of the same name: a button that is disabled for a moment would lose the focus.
        aria-disabled={disabled}
        onClick={() => !disabled && onTurn(!on)}
      >
        <span class="switch-label">{label}</span>
        <span class="switch-state" aria-hidden="true">
          {on ? "オン" : "オフ"}
        </span>
        <span class="switch-track" aria-hidden="true" />
      </button>
      <p id={id}>{words}</p>
    </li>
  );
}
