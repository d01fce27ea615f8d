import type { Tone } from "../booking/Badge";

const TONES: Record<string, Tone> = {
  confirmed: "good",
  paid: "good",
  told: "good",
  came: "good",
  not_told: "bad",
  absent: "bad",
};

/** The colour of a step; one that is neither good nor bad news has none. */
export function toneOf(kind: string): Tone {
  return TONES[kind] ?? "plain";
}
