/** Whether LINE's own browser shows this page; the demo's phones show it in a frame. */
export function isInLine(page: Pick<Window, "navigator" | "parent"> = window): boolean {
  return /\bLine\/|\bLIFF\b/.test(page.navigator.userAgent) || page.parent !== (page as unknown);
}
