import type { JSX } from "preact";

interface SexFieldProps {
  value: string;
  onChange: (value: string) => void;
  trouble?: string | undefined;
}

export const SEX_NAMES: Record<string, string> = { "1": "男性", "2": "女性" };

export function SexField({ value, onChange, trouble = "" }: SexFieldProps): JSX.Element {
  return (
    <fieldset class="entry" aria-describedby="sex-trouble">
      <legend>性別（健診の記録に使います）</legend>
      <div class="choices">
        {Object.entries(SEX_NAMES).map(([code, name]) => (
          <label key={code} class="choice">
            <input type="radio" name="sex" value={code} checked={value === code} onChange={() => onChange(code)} />
            <span>{name}</span>
          </label>
        ))}
      </div>
      <div id="sex-trouble" role="alert">
        {trouble && <p class="trouble">{trouble}</p>}
      </div>
    </fieldset>
  );
}
