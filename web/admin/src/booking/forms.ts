import { ApiError } from "../../../api/errors";
import { errorText } from "./words";

export type FieldErrors = Readonly<Record<string, string>>;

/** What the server says about single fields, by their names; empty when its answer is about something else. */
export function serverErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.details.map(({ field, reason }) => [field, errorText(reason)]));
}

/** A number typed by a person, or null when it is none or out of range. */
export function wholeNumber(text: string, least: number, most: number): number | null {
  const plain = text.normalize("NFKC").trim();
  if (!/^\d{1,7}$/.test(plain)) return null;
  const number = Number(plain);
  return number >= least && number <= most ? number : null;
}

/** Only what differs from before, because the API changes the fields that are named. */
export function changedFields<T extends object>(before: T, after: Partial<T>): Partial<T> {
  const entries = Object.entries(after) as [keyof T, T[keyof T]][];
  return Object.fromEntries(entries.filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value))) as Partial<T>;
}
