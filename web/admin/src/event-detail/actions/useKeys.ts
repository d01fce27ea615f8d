import { useState } from "react";
import { Keys } from "./key";

/** The keys of one dialog, from opening to closing. */
export function useKeys(): Keys {
  return useState(() => new Keys())[0];
}
