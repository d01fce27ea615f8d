import { useState } from "react";
import { IdempotencyKeys } from "./idempotency-keys";

/** The keys of one dialog; they live as long as the dialog is open. */
export function useIdempotencyKeys(): IdempotencyKeys {
  return useState(() => new IdempotencyKeys())[0];
}
