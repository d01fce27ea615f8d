/** The browser's storage, or null where it refuses it to a framed page. */
export function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
