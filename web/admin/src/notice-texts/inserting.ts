export interface Typed {
  text: string;
  /** Where the cursor stands afterwards. */
  caret: number;
}

/** The text with a placeholder in the place of what is selected, or at the cursor. */
export function inserted(text: string, start: number, end: number, name: string): Typed {
  const word = `{${name}}`;
  return { text: text.slice(0, start) + word + text.slice(end), caret: start + word.length };
}
