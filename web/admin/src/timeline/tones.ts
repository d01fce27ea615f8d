import type { Tone } from "../booking/Badge";

const TONES: Record<string, Tone> = {
  confirmed: "good",
  paid: "good",
  told: "good",
  reminded: "good",
  mailed: "good",
  came: "good",
  refunded: "good",
  no_answer: "warn",
  held: "warn",
  failed: "bad",
  refund_failed: "bad",
  absent: "bad",
};

/** The colour of a step; one that is neither good nor bad news has none. */
export function toneOf(kind: string): Tone {
  return TONES[kind] ?? "plain";
}

const ONE_LINE = 80;

/** What LINE or Stripe said is for engineers and may be pages long; a reason that a person typed is shown as it is. */
export function isLong(detail: string): boolean {
  return detail.length > ONE_LINE;
}
