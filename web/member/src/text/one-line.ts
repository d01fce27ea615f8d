export const LONGEST_LINE = 200;

/** One line, as the server takes it: pasted line breaks become spaces, and half a character is dropped. */
export function tidyLine(typed: string): string {
  return typed
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ")
    .slice(0, LONGEST_LINE)
    .replace(/\p{Cs}/gu, "");
}
