import { useRef, useState } from "preact/hooks";
import { sentenceFor } from "../client/request";
import { sandbox } from "../client/sandbox";
import { webhookTrouble } from "../client/webhook-answer";
import { Icon } from "../page/Icon";
import { loadChat } from "../state/loading";

/** LINE's own limit for one text message, in UTF-16 units, which is what a browser counts too. */
const LONGEST_TEXT = 5_000;

interface ComposerProps {
  userId: string;
  setTrouble: (trouble: string | null) => void;
}

/** Writes as this person. The text leaves the field at once, so a second Enter has nothing left to send. */
export function Composer({ userId, setTrouble }: ComposerProps) {
  const [text, setText] = useState("");
  // The state changes with the next drawing only; two quick presses of Enter come before that.
  const latest = useRef("");
  const write = (words: string) => {
    latest.current = words;
    setText(words);
  };

  async function send(): Promise<void> {
    const words = latest.current.trim();
    if (words === "") return;
    write("");
    try {
      const answer = await sandbox.say(userId, words);
      setTrouble(webhookTrouble(answer.webhook));
      await loadChat(userId);
    } catch (failure) {
      write(words);
      setTrouble(sentenceFor(failure));
    }
  }

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        rows={Math.min(text.split("\n").length, 4)}
        value={text}
        maxLength={LONGEST_TEXT}
        aria-label="メッセージを書く"
        placeholder="メッセージを書く"
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (!isSendingKey(event)) return;
          event.preventDefault();
          void send();
        }}
      />
      <button type="submit" class="round filled" aria-label="送信" disabled={text.trim() === ""}>
        <Icon name="send" />
      </button>
    </form>
  );
}

/** Enter sends and Shift+Enter breaks the line; the Enter that ends a kana conversion does neither. */
function isSendingKey(event: KeyboardEvent): boolean {
  return event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229;
}
