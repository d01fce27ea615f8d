import { newIdempotencyKey } from "../../../../api/idempotency-key";

/**
 * The `Idempotency-Key` of each request that a dialog can send. The same content always gets the same key, so that a
 * second click, or a retry after a lost connection, is the same request to the server.
 */
export class IdempotencyKeys {
  private readonly known = new Map<string, string>();

  keyFor(content: unknown): string {
    const name = JSON.stringify(content);
    const key = this.known.get(name) ?? newIdempotencyKey();
    this.known.set(name, key);
    return key;
  }
}
