import type { JSX } from "preact";
import { LONGEST_LINE } from "../../text/one-line";

interface CommentProps {
  value: string;
  onInput: (text: string) => void;
}

export function CommentField({ value, onInput }: CommentProps): JSX.Element {
  return (
    <div class="memo">
      <label for="comment" class="memo-label">
        ひとこと
        <span class="note phrase">（書かなくても構いません）</span>
      </label>
      <textarea
        id="comment"
        class="field"
        rows={1}
        maxLength={LONGEST_LINE}
        enterkeyhint="done"
        value={value}
        aria-describedby="comment-readers"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          // One line is all that is kept, so the key for a new one ends the typing; not while choosing kanji.
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
      <p id="comment-readers" class="note">
        主催者だけに見えます。
      </p>
    </div>
  );
}
