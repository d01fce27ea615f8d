/** `crypto.randomUUID` exists only on secure pages; a test installation in the office may have no certificate. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * One key for each thing that a dialog may ask for: pressed twice, or again after the connection broke, it is the
 * same request; with other words in it, it is another.
 */
export class Keys {
  private readonly known = new Map<string, string>();

  keyFor(content: unknown): string {
    const name = JSON.stringify(content);
    const key = this.known.get(name) ?? newKey();
    this.known.set(name, key);
    return key;
  }
}
