import type { Preview } from "../event";
import classes from "./Actions.module.css";

const LINK = /(https?:\/\/[!#-;=?-~]+)/;

/** The messages as the chat will show them. */
export function PhonePreview({ messages }: { messages: Preview["messages"] }) {
  return (
    <div className={classes.phone} role="group" aria-label="LINEに届くメッセージ" tabIndex={0}>
      {messages.map((message, index) => (
        <Bubble key={index} message={message} />
      ))}
    </div>
  );
}

function Bubble({ message }: { message: Preview["messages"][number] }) {
  const { type, text, previewImageUrl } = message as { type: string; text?: string; previewImageUrl?: string };
  if (type === "image" && previewImageUrl) return <img className={classes.photo} src={previewImageUrl} alt="案内の画像" />;
  return (
    <div className={classes.bubble}>
      {(text ?? "").split(LINK).map((part, index) =>
        LINK.test(part) ? (
          <span key={index} className={classes.link}>
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </div>
  );
}
