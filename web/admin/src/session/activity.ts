// Whether somebody is at the screen. An open page asks the server now and then by itself, and such a request must not
// keep the session of somebody alive who has gone home.

const SOON_MS = 120_000;
let last = Date.now();

for (const kind of ["pointerdown", "keydown", "wheel", "touchstart"]) {
  window.addEventListener(kind, () => (last = Date.now()), { capture: true, passive: true });
}

/** True when nobody has touched the page for a while. */
export function isUntouched(now = Date.now()): boolean {
  return now - last > SOON_MS;
}
