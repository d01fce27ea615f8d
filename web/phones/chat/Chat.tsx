import { useEffect } from "preact/hooks";
import type { ChatMessage, Person, SandboxConfig } from "../client/types";
import { Icon } from "../page/Icon";
import { loadChat } from "../state/loading";
import { useSelected } from "../state/store";
import { dayNumber } from "./japan-time";
import { quickRepliesOf } from "./line-message";
import { MessageRow } from "./MessageRow";
import { QuickReplies } from "./QuickReplies";
import { timelineOf } from "./timeline";
import { useStickToEnd } from "./use-stick-to-end";

interface ChatProps {
  person: Person;
  account: SandboxConfig["account"];
}

export function Chat({ person, account }: ChatProps) {
  const messages = useSelected((state) => state.chats[person.user_id]);
  useEffect(() => {
    // A failure here shows as the page's own "connection lost"; the reconnection loads the chat.
    if (!messages) loadChat(person.user_id).catch(() => {});
  }, [person.user_id]);
  if (!messages) return <div class="chat waiting" aria-busy="true" />;
  return <Messages messages={messages} person={person} account={account} />;
}

function Messages({ messages, person, account }: ChatProps & { messages: ChatMessage[] }) {
  // "Today" changes at midnight only, so the day is selected and not the time.
  const today = useSelected((state) => dayNumber(state.now));
  const newest = messages[messages.length - 1];
  const { place, away, toEnd } = useStickToEnd(newest?.id, newest?.from === "user");
  return (
    <div class="chat-frame">
      <div class="chat" ref={place} role="log" aria-live="off" aria-label={`${account.name}とのトーク`} tabIndex={0}>
        {messages.length === 0 && <p class="chat-empty">まだメッセージはありません</p>}
        {timelineOf(messages, startOf(today)).map((row) =>
          row.kind === "day" ? (
            <p key={row.key} class="day">
              <span>{row.label}</span>
            </p>
          ) : (
            <MessageRow key={row.key} entry={row.entry} startsGroup={row.startsGroup} person={person} account={account} />
          ),
        )}
        {newest?.from === "account" && <QuickReplies actions={quickRepliesOf(newest.message)} />}
      </div>
      {away && (
        <button type="button" class="to-end" onClick={toEnd}>
          <Icon name="down" size={16} />
          新しいメッセージへ
        </button>
      )}
    </div>
  );
}

function startOf(day: number): number {
  return day * 86_400_000 - 9 * 3_600_000;
}
