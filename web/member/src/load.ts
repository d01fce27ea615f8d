import { ApiError } from "../../api/errors";
import { type Loaded, useLoad } from "../../kit/load";
import { leadToRegister } from "./registration";

/** As the kit's, but a person whom the roster does not know is led to the registration. */
export function useMemberLoad<T>(ask: () => Promise<T>, known: T | null = null): [Loaded<T>, () => void] {
  return useLoad(ask, { known, intercept: leadIfNotRegistered });
}

export function leadIfNotRegistered(error: unknown): boolean {
  if (!isNotRegistered(error)) return false;
  leadToRegister();
  return true;
}

export function isNotRegistered(error: unknown): boolean {
  return error instanceof ApiError && error.code === "NOT_REGISTERED";
}
