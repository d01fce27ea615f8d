// Which PINs are allowed, as the server has it: so that nobody waits for a refusal.
const ASCENDING = "01234567890";
const DESCENDING = [...ASCENDING].reverse().join("");
const POPULAR = new Set(["1212", "2121", "1010", "0101", "6969", "1122", "1313", "2000", "2580", "1004"]);

export const PIN_LENGTH = 4;

/** Digits alone, at most so many. An input method may write them full-width. */
export function digitsOf(typed: string, longest: number): string {
  return typed.normalize("NFKC").replace(/[^0-9]/g, "").slice(0, longest);
}

/** What is wrong with a new PIN; empty when nothing is. */
export function newPinTrouble(pin: string, oldPin: string | null): string {
  if (pin.length !== PIN_LENGTH) return "数字4桁で入力してください。";
  if (new Set(pin).size === 1) return "同じ数字だけの番号は、推測されやすいため使えません。";
  if (ASCENDING.includes(pin) || DESCENDING.includes(pin)) return "順番に並んだ番号は、推測されやすいため使えません。";
  if (POPULAR.has(pin)) return "よく使われる番号は、推測されやすいため使えません。";
  return pin === oldPin ? "いまと同じ番号は使えません。別の4桁にしてください。" : "";
}
