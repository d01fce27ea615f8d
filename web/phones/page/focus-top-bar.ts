/** Where the focus goes when the control that had it leaves the page for good. */
export function focusTopBar(): void {
  document.querySelector<HTMLElement>(".top-actions button")?.focus();
}
