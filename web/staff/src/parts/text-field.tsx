import type { JSX } from "preact";

interface TextFieldProps {
  id: string;
  label: string;
  hint?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  trouble?: string | undefined;
  /** Which keys a phone shows. */
  keys?: "text" | "numeric" | "email";
  maxLength?: number;
  /** What the browser may fill in on a person's own device. */
  autocomplete?: "family-name" | "given-name" | "email" | "off";
}

/** One line to type, with its label, and what is wrong with it below. */
export function TextField({ id, label, hint, value, onChange, trouble = "", keys = "text", maxLength = 50, autocomplete = "off" }: TextFieldProps): JSX.Element {
  return (
    <div class="entry">
      <label for={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} class="note">
          {hint}
        </p>
      )}
      <input
        id={id}
        class="field"
        type="text"
        inputMode={keys}
        autocomplete={autocomplete}
        maxLength={maxLength}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
        aria-describedby={hint ? `${id}-hint ${id}-trouble` : `${id}-trouble`}
        aria-invalid={trouble !== ""}
      />
      <div id={`${id}-trouble`} role="alert">
        {trouble && <p class="trouble">{trouble}</p>}
      </div>
    </div>
  );
}
