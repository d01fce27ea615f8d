import type { ChatMessage, Person, SandboxConfig } from "../client/types";
import { AccountPicture } from "../phone/AccountPicture";
import { CardBubble } from "./CardBubble";
import { ImageBubble } from "./ImageBubble";
import { clockTime } from "./japan-time";
import { bubbleOf } from "./line-message";
import { TextBubble } from "./TextBubble";

interface MessageRowProps {
  entry: ChatMessage;
  startsGroup: boolean;
  person: Person;
  account: SandboxConfig["account"];
}

export function MessageRow({ entry, startsGroup, person, account }: MessageRowProps) {
  const own = entry.from === "user";
  const isNew = !own && !entry.read;
  return (
    <div class={`message ${own ? "own" : "theirs"} ${startsGroup ? "first" : ""}`}>
      {!own && <span class="message-face">{startsGroup && <AccountPicture account={account} size={30} />}</span>}
      <span class="for-ears">{own ? person.display_name : account.name}：</span>
      <Content entry={entry} />
      <span class="message-meta">
        {isNew && <span class="new-mark">未読</span>}
        <time dateTime={entry.at}>{clockTime(Date.parse(entry.at))}</time>
      </span>
    </div>
  );
}

function Content({ entry }: { entry: ChatMessage }) {
  const bubble = bubbleOf(entry.message);
  switch (bubble.kind) {
    case "text":
      return <TextBubble text={bubble.text} />;
    case "image":
      return <ImageBubble original={bubble.original} preview={bubble.preview} />;
    case "cards":
      return <CardBubble cards={bubble.cards} />;
    case "note":
      return <div class="bubble note">{bubble.text}</div>;
  }
}
