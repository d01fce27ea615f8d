// Small pictures that say at a glance what kind of screen this is. They carry no information of their own.
import type { JSX } from "preact";

export function CalendarDrawing(): JSX.Element {
  return (
    <svg class="drawing" viewBox="0 0 96 72" width="96" height="72" aria-hidden="true">
      <rect x="20" y="10" width="56" height="54" rx="8" fill="#fff" stroke="currentColor" stroke-width="2.5" />
      <path d="M20 26h56" stroke="currentColor" stroke-width="2.5" />
      <path d="M34 5v10M62 5v10" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" />
      <g fill="currentColor" opacity=".28">
        <circle cx="34" cy="38" r="3.5" />
        <circle cx="48" cy="38" r="3.5" />
        <circle cx="62" cy="38" r="3.5" />
        <circle cx="34" cy="52" r="3.5" />
        <circle cx="62" cy="52" r="3.5" />
      </g>
      <circle cx="48" cy="52" r="5" fill="#d9765a" />
    </svg>
  );
}

/** A talk in LINE: where the person has to go. */
export function TalkDrawing(): JSX.Element {
  return (
    <svg class="drawing" viewBox="0 0 96 72" width="96" height="72" fill="none" stroke="currentColor" stroke-width="2.5" aria-hidden="true">
      <rect x="30" y="4" width="36" height="64" rx="7" fill="#fff" />
      <path d="M43 61h10" stroke-linecap="round" />
      <rect x="36" y="15" width="20" height="10" rx="5" opacity=".28" fill="currentColor" stroke="none" />
      <rect x="36" y="31" width="24" height="14" rx="6" fill="#d9765a" stroke="none" />
      <path d="M41 38h14" stroke="#fff" stroke-linecap="round" />
    </svg>
  );
}

/** No reception: trying again may help. */
export function NoReceptionDrawing(): JSX.Element {
  return (
    <svg class="drawing" viewBox="0 0 96 72" width="96" height="72" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" aria-hidden="true">
      <path d="M22 30a37 37 0 0 1 52 0" opacity=".28" />
      <path d="M31 40a24 24 0 0 1 34 0" opacity=".28" />
      <path d="M40 50a11.5 11.5 0 0 1 16 0" />
      <circle cx="48" cy="60" r="3" fill="currentColor" stroke="none" />
      <path d="M68 52l9 9m0-9-9 9" stroke="#d9765a" stroke-width="3.5" />
    </svg>
  );
}
