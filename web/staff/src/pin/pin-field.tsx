import type { JSX } from "preact";
import type { Ref } from "preact";
import { digitsOf, PIN_LENGTH } from "./pin-rules";

interface PinFieldProps {
  id: string;
  label: string;
  hint?: string;
  value: string;
  onChange: (pin: string) => void;
  /** With a number pad below it, the phone's own keyboard stays away. */
  withPad?: boolean;
  trouble?: string;
  inputRef?: Ref<HTMLInputElement>;
}

export function PinField({ id, label, hint, value, onChange, withPad = false, trouble = "", inputRef }: PinFieldProps): JSX.Element {
  return (
    <div class="entry">
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="note">
          {hint}
        </p>
      )}
      <input
        {...(inputRef ? { ref: inputRef } : {})}
        id={id}
        class="field pin-field"
        type="password"
        inputMode={withPad ? "none" : "numeric"}
        autocomplete="off"
        maxLength={PIN_LENGTH}
        value={value}
        onInput={(event) => {
          const pin = digitsOf(event.currentTarget.value, PIN_LENGTH);
          event.currentTarget.value = pin;
          onChange(pin);
        }}
        aria-describedby={`${id}-hint ${id}-trouble`}
        aria-invalid={trouble !== ""}
      />
      <div id={`${id}-trouble`} role="alert">
        {trouble && <p class="trouble">{trouble}</p>}
      </div>
    </div>
  );
}
