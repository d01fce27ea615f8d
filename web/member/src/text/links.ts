export interface TextPart {
  text: string;
  href?: string;
}

// Only ASCII belongs to a link, so that Japanese words that follow without a space stay words.
const LINK = /https?:\/\/[!#-;=?-~]+/gi;
// What closes the sentence around a link is not part of it.
const SENTENCE_END = /[.,;:!?'")\]}]+$/;

/** Cuts a text into plain parts and links to web addresses; anything else, such as `javascript:`, stays text. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const found of text.matchAll(LINK)) {
    const href = found[0].replace(SENTENCE_END, "");
    if (!isAddress(href)) continue;
    if (found.index > end) parts.push({ text: text.slice(end, found.index) });
    parts.push({ text: href, href });
    end = found.index + href.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

function isAddress(href: string): boolean {
  try {
    return new URL(href).hostname !== "";
  } catch {
    return false;
  }
}
