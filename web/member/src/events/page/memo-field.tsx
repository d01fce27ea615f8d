import type { JSX } from "preact";
import { LONGEST_LINE, tidyLine } from "../../text/one-line";

interface MemoProps {
  label: string;
  value: string;
  onInput: (text: string) => void;
  /** What has been sent already. */
  sent: string;
  /** Null before the first answer: the memo goes along with it. */
  onSend: (() => void) | null;
}

const COUNT_FROM = 150;

export function MemoField({ label, value, onInput, sent, onSend }: MemoProps): JSX.Element {
  const changed = tidyLine(value).trim() !== sent;
  return (
    <form
      class="memo"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed) onSend?.();
      }}
    >
      <label for="memo" class="memo-label">
        {label}
        <span class="note phrase">（書かなくても構いません）</span>
      </label>
      <textarea
        id="memo"
        class="field"
        rows={2}
        maxLength={LONGEST_LINE}
        enterkeyhint="done"
        value={value}
        aria-describedby="memo-readers memo-state"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          // One line is all that is kept, so the key for a new one ends the typing; not while choosing kanji.
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      <p id="memo-readers" class="note">
        ほかの参加者にも見えます。
      </p>
      <p id="memo-state" class="memo-state">
        {stateWords(label, changed, sent, onSend !== null)}
        {value.length >= COUNT_FROM && <span>　あと{LONGEST_LINE - value.length}文字</span>}
      </p>
      {onSend && (
        <button type="submit" class={`button ${changed ? "" : "button-off"}`} aria-disabled={!changed}>
          {label}を送る
        </button>
      )}
    </form>
  );
}

function stateWords(label: string, changed: boolean, sent: string, answered: boolean): string {
  if (!answered) return "出席・欠席を押すと、いっしょに送られます。";
  if (changed) return `この${label}は、まだ送っていません。`;
  return sent ? `この${label}は送信済みです。` : `書いたら「${label}を送る」を押してください。`;
}
