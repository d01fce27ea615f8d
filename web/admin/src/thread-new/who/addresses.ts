// Addresses as people copy them from a mail: `山田 太郎 <yamada@example.jp>, …`, one per line, or separated by commas.

import { MOST_PEOPLE } from "../../threads/thread";

export interface PastedPerson {
  name: string;
  email: string;
}

export interface WrongEntry {
  text: string;
  reason: string;
}

export interface Pasted {
  people: PastedPerson[];
  wrong: WrongEntry[];
  /** How many addresses stood there more than once. */
  twice: number;
}

export const LONGEST_NAME = 100;
const LONGEST_ADDRESS = 254;
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/;

export function parseAddresses(text: string): Pasted {
  const result: Pasted = { people: [], wrong: [], twice: 0 };
  const seen = new Set<string>();
  for (const entry of entries(text)) {
    const read = readEntry(entry);
    if ("reason" in read) result.wrong.push(read);
    else if (seen.has(read.email.toLowerCase())) result.twice += 1;
    else {
      seen.add(read.email.toLowerCase());
      result.people.push(read);
    }
  }
  return result;
}

/** Why nobody can go on with what was pasted. The server takes no more at once, and would only say that something is wrong. */
export function pastedProblem({ people, wrong }: Pasted): string | null {
  if (wrong.length > 0) return `読み取れないものが${wrong.length}個あります。直すか、消してください`;
  if (people.length <= MOST_PEOPLE) return null;
  return `一度に声をかけられるのは${MOST_PEOPLE}人までです。いま${people.length.toLocaleString("ja-JP")}人分のアドレスがあります`;
}

/** Splits at line ends, commas and semicolons, but not inside quotation marks: `"山田, 太郎" <…>` is one person. */
function entries(text: string): string[] {
  const found: string[] = [];
  let entry = "";
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    // A mark that nobody closed must not swallow the lines after it.
    if (character === "\n" || character === "\r") quoted = false;
    if (!quoted && /[,;\n\r、，；]/.test(character)) {
      found.push(entry);
      entry = "";
    } else entry += character;
  }
  return [...found, entry].map((one) => one.replace(/[\s\u3000]+/g, " ").trim()).filter((one) => one !== "");
}

function readEntry(entry: string): PastedPerson | WrongEntry {
  const inBrackets = /^(.*?)[<＜]\s*([^<>＜＞]*)\s*[>＞]$/.exec(entry);
  const spaced = /^(.*?)\s+(\S+[@＠]\S+)$/.exec(entry);
  const [name, address] = inBrackets ? [inBrackets[1], inBrackets[2]] : spaced ? [spaced[1], spaced[2]] : ["", entry];
  // A Japanese keyboard writes ＠ and full-width letters; no mail address has them.
  const email = (address ?? "").normalize("NFKC").replace(/^mailto:/i, "").trim();
  const reason = problemOf(email, entry);
  if (reason !== null) return { text: entry, reason };
  const own = plainName(name ?? "");
  if ([...own].length > LONGEST_NAME) return { text: entry, reason: `名前は${LONGEST_NAME}文字までです` };
  return { name: own || (email.split("@")[0] ?? email), email };
}

function plainName(name: string): string {
  return name.trim().replace(/^["'「]+|["'」:：]+$/g, "").trim();
}

function problemOf(email: string, entry: string): string | null {
  if (!email.includes("@")) return "メールアドレスがありません";
  if ((entry.match(/[@＠]/g) ?? []).length > 1) return "アドレスが2つ続いています。改行かコンマで区切ってください";
  if (email.length > LONGEST_ADDRESS) return "メールアドレスが長すぎます";
  if (/\.\.|^\.|\.@/.test(email)) return "「.」が続いているか、端にあります";
  return ADDRESS.test(email) ? null : "メールアドレスの形になっていません";
}

/** One line for each person, as it can be pasted again. */
export function addressLine({ name, email }: PastedPerson): string {
  return `${/[,;"<>]/.test(name) ? `"${name.replaceAll('"', "")}"` : name} <${email}>`;
}
