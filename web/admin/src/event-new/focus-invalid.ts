const INVALID = '[aria-invalid="true"], [data-invalid]';

/** Leads to the first wrong field in here; false: there is none. The field stands in the middle, because bars cover the edges of the window. */
export function focusInvalid(within: HTMLElement | null | undefined): boolean {
  const wrong = within?.querySelector<HTMLElement>(INVALID);
  if (!wrong) return false;
  wrong.focus({ preventScroll: true });
  wrong.scrollIntoView({ block: "center" });
  return true;
}
