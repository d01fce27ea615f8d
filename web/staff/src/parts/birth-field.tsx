import type { JSX } from "preact";
import { digitsOf } from "../pin/pin-rules";

/** The three numbers as they are typed, joined by hyphens: `1985-4-12`. */
export interface BirthFieldProps {
  value: string;
  onChange: (value: string) => void;
  trouble?: string | undefined;
}

const PARTS = [
  { name: "年", longest: 4, example: "1985" },
  { name: "月", longest: 2, example: "4" },
  { name: "日", longest: 2, example: "12" },
] as const;

/** Three numbers: a calendar that starts with this month is a long way from a birthday. */
export function BirthField({ value, onChange, trouble = "" }: BirthFieldProps): JSX.Element {
  const typed = PARTS.map((_, index) => value.split("-")[index] ?? "");
  const change = (index: number, part: string) => onChange(typed.map((before, place) => (place === index ? part : before)).join("-"));
  return (
    <fieldset class="entry" aria-describedby="birth-trouble">
      <legend>生年月日（西暦）</legend>
      <div class="birth">
        {PARTS.map(({ name, longest, example }, index) => (
          <label key={name} class={longest === 4 ? "birth-year" : ""}>
            <input
              class="field"
              type="text"
              inputMode="numeric"
              autocomplete="off"
              maxLength={longest}
              placeholder={example}
              value={typed[index]}
              onInput={(event) => {
                const digits = digitsOf(event.currentTarget.value, longest);
                event.currentTarget.value = digits;
                change(index, digits);
              }}
              aria-label={`生年月日の${name}`}
              aria-invalid={trouble !== ""}
            />
            <span aria-hidden="true">{name}</span>
          </label>
        ))}
      </div>
      <div id="birth-trouble" role="alert">
        {trouble && <p class="trouble">{trouble}</p>}
      </div>
    </fieldset>
  );
}
