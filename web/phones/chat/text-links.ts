export interface TextPart {
  text: string;
  href?: string;
}

/** Only ASCII belongs to a link, so that the Japanese words after a link without a space stay words. */
const LINK = /https?:\/\/[!#-;=?-~]+/gi;
const SENTENCE_END = /[.,;:!?'"\])}]$/;
const PAIRS: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Cuts a text into plain parts and links. Line breaks stay in the parts; the style sheet keeps them. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const href = withoutSentenceEnd(match[0]);
    if (!isWebAddress(href)) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: href, href });
    end = match.index + href.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** The full stop or bracket that closes the sentence around a link is not part of it; a bracket opened inside is. */
function withoutSentenceEnd(link: string): string {
  let kept = link;
  while (SENTENCE_END.test(kept) && !closesItsOwnBracket(kept)) kept = kept.slice(0, -1);
  return kept;
}

function closesItsOwnBracket(link: string): boolean {
  const last = link.slice(-1);
  const opening = PAIRS[last];
  return opening !== undefined && link.split(opening).length >= link.split(last).length;
}

export function isWebAddress(address: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}
