import { useQuery } from "@tanstack/react-query";
import markUrl from "../../../../brand/mark.svg";
import { accountQuery, type Preview } from "../queries";
import { splitLinks } from "../rules/links";
import classes from "./Phone.module.css";

interface PhonePreviewProps {
  messages: Preview["messages"];
  pictureUrl: string | null;
}

/** The messages as the server will send them, drawn as a chat. */
export function PhonePreview({ messages, pictureUrl }: PhonePreviewProps) {
  const account = useQuery(accountQuery).data || "公式アカウント";
  return (
    <figure className={classes.figure}>
      <div className={classes.phone} role="img" aria-label={`LINEに届くメッセージの見本：画像1枚と、次の文章。${textOf(messages)}`}>
        <div className={classes.head} aria-hidden="true">
          {account}
        </div>
        <div className={classes.chat} aria-hidden="true">
          {messages.map((message, index) => (
            <div key={String(message["type"])} className={classes.message}>
              <span className={classes.face}>{index === 0 && <img src={markUrl} alt="" width="30" height="30" />}</span>
              {message["type"] === "image" ? (
                pictureUrl && <img className={classes.picture} src={pictureUrl} alt="" />
              ) : (
                <div className={classes.bubble}>
                  <Linked text={String(message["text"] ?? "")} />
                </div>
              )}
            </div>
          ))}
        </div>
      </div>
      <figcaption>リンクの「○○」には、送信するときにイベントの番号が入ります。</figcaption>
    </figure>
  );
}

function textOf(messages: Preview["messages"]): string {
  return messages.map((message) => message["text"] ?? "").join("");
}

function Linked({ text }: { text: string }) {
  return splitLinks(text).map(({ text: part, link }, index) => (
    // The parts of one text never change places.
    <span key={index} className={link ? classes.link : undefined}>
      {part}
    </span>
  ));
}
