import dialogs from "../members/Dialogs.module.css";
import type { Placeholder } from "./queries";
import classes from "./Texts.module.css";

interface PlaceholderChipsProps {
  placeholders: readonly Placeholder[];
  insert: (name: string) => void;
}

/** A press inserts the word where the cursor is, so that nobody has to type the braces. */
export function PlaceholderChips({ placeholders, insert }: PlaceholderChipsProps) {
  return (
    <div className={classes.placeholders}>
      <p>差し込み（押すと、カーソルの位置に入ります）</p>
      <div className={dialogs.usual} role="group" aria-label="差し込み">
        {placeholders.map(({ name, description, sample }) => (
          <button key={name} type="button" title={`${description}（例：${sample}）`} onClick={() => insert(name)}>
            {`{${name}}`}
          </button>
        ))}
      </div>
      {placeholders.some(({ may_be_empty }) => may_be_empty) && (
        <p>
          {placeholders
            .filter(({ may_be_empty }) => may_be_empty)
            .map(({ name }) => `{${name}}`)
            .join("・")}
          は、内容のない予約では、その行ごと省かれます。
        </p>
      )}
    </div>
  );
}
