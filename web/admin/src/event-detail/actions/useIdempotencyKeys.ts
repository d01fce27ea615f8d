import { useState } from "react";
import { IdempotencyKeys } from "./idempotency-keys";

/** The keys of one dialog, from opening to closing. */
export function useIdempotencyKeys(): IdempotencyKeys {
  return useState(() => new IdempotencyKeys())[0];
}
