import { useQuery } from "@tanstack/react-query";
import markUrl from "../../../brand/mark.svg";
import phone from "../event-new/steps/Phone.module.css";
import { accountQuery } from "../event-new/queries";
import type { TextPreview } from "./queries";
import classes from "./Texts.module.css";

/** The notice as it will stand in the chat, with sample values. */
export function Phone({ preview: { text, buttons } }: { preview: TextPreview }) {
  const account = useQuery(accountQuery).data || "公式アカウント";
  return (
    <figure className={phone.figure}>
      <div className={phone.phone} role="img" aria-label={`LINEに届く通知の見本：${text}${buttons.length > 0 ? ` ボタン：${buttons.join("、")}` : ""}`}>
        <div className={phone.head} aria-hidden="true">
          {account}
        </div>
        <div className={phone.chat} aria-hidden="true">
          <div className={phone.message}>
            <img className={phone.face} src={markUrl} alt="" width="30" height="30" />
            <div className={phone.bubble}>{text}</div>
          </div>
          {buttons.length > 0 && (
            <div className={phone.message}>
              <span className={phone.face} />
              <div className={classes.buttons}>
                {buttons.map((button) => (
                  <span key={button}>{button}</span>
                ))}
              </div>
            </div>
          )}
        </div>
      </div>
      <figcaption>名前や日時は見本です。</figcaption>
    </figure>
  );
}
