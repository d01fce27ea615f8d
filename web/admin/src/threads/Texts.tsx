import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { splitLinks } from "../event-new/rules/links";
import type { ThreadPreview } from "./thread";
import classes from "./Threads.module.css";

type Worded = Pick<ThreadPreview, "subject" | "mail_text" | "line_text" | "line" | "mail">;

/** The mail and the LINE message as people will get them. */
export function Texts({ texts }: { texts: Worded }) {
  const [shown, setShown] = useState<"line" | "mail">(texts.line > 0 || texts.mail === 0 ? "line" : "mail");
  return (
    <div className={classes.texts}>
      <SegmentedControl
        aria-label="見る文面"
        value={shown}
        onChange={(value) => setShown(value as "line" | "mail")}
        data={[
          { value: "line", label: "LINEの文面" },
          { value: "mail", label: "メールの文面" },
        ]}
      />
      {shown === "line" ? (
        <div className={classes.phone} role="group" aria-label="LINEに届くメッセージ" tabIndex={0}>
          <div className={classes.bubble}>
            <Linked text={texts.line_text} />
          </div>
        </div>
      ) : (
        <div className={classes.mail} role="group" aria-label="届くメール" tabIndex={0}>
          <p className={classes.subject}>
            <span>件名</span>
            {texts.subject}
          </p>
          <div className={classes.mailText}>
            <Linked text={texts.mail_text} />
          </div>
        </div>
      )}
    </div>
  );
}

function Linked({ text }: { text: string }) {
  return splitLinks(text).map(({ text: part, link }, index) => (
    // The parts of one text never change places.
    <span key={index} className={link ? classes.link : undefined}>
      {part}
    </span>
  ));
}
