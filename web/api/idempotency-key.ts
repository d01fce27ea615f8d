/** 128 random bits for an `Idempotency-Key`. `crypto.randomUUID` is missing on older phones and on pages without HTTPS. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
