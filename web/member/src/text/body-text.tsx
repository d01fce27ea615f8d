import type { JSX } from "preact";
import { splitLinks } from "./links";

export function BodyText({ text }: { text: string }): JSX.Element {
  return (
    <p class="body-text kept-lines">
      {splitLinks(text).map(({ text: part, href }, index) =>
        href ? (
          <a key={index} href={href} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
