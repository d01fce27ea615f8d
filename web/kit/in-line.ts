const CAME_FROM_LINE = "tsudoi:from-line";

type Page = Pick<Window, "navigator" | "sessionStorage">;

/** For the tab that LINE has opened, whatever page of the product it shows next. */
export function rememberLine(page: Page = window): void {
  try {
    page.sessionStorage.setItem(CAME_FROM_LINE, "1");
  } catch {
    // Without storage the name of LINE's browser has to do.
  }
}

/** Whether LINE shows this page: it was opened from there, or the browser is LINE's own. */
export function isInLine(page: Page = window): boolean {
  return /\bLine\/|\bLIFF\b/.test(page.navigator.userAgent) || cameFromLine(page);
}

function cameFromLine(page: Page): boolean {
  try {
    return page.sessionStorage.getItem(CAME_FROM_LINE) !== null;
  } catch {
    return false;
  }
}
