export interface TextPart {
  text: string;
  link: boolean;
}

/** Where a chat would underline. The stand-in for the number that is still to come belongs to the link. */
export function splitLinks(text: string): TextPart[] {
  return text
    .split(/(https?:\/\/[!-~]+○*)/)
    .filter((part) => part !== "")
    .map((part) => ({ text: part, link: /^https?:\/\//.test(part) }));
}
