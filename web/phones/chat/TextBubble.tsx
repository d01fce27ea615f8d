import { useContext } from "preact/hooks";
import { PhoneActionsContext } from "../phone/phone-actions";
import { splitLinks } from "./text-links";

export function TextBubble({ text }: { text: string }) {
  return (
    <div class="bubble">
      <LinkedText text={text} />
    </div>
  );
}

export function LinkedText({ text }: { text: string }) {
  return (
    <>
      {splitLinks(text).map((part, index) =>
        part.href ? <PhoneLink key={index} href={part.href} /> : <span key={index}>{part.text}</span>,
      )}
    </>
  );
}

/** A real link, so that it can be copied or opened elsewhere; a plain tap opens it as a phone would. */
function PhoneLink({ href }: { href: string }) {
  const { openLink } = useContext(PhoneActionsContext);
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openLink(href);
  };
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" onClick={onClick}>
      {href}
    </a>
  );
}
