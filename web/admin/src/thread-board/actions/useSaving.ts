import { useMutation } from "@tanstack/react-query";
import { useSingleFlight } from "../../event-detail/actions/useSingleFlight";

/** One request that changes something: once at a time, with its error. `failed` hears of the error as well. */
export function useSaving<T>(request: () => Promise<T>, done: (result: T) => void, failed?: (error: unknown) => void) {
  const runOnce = useSingleFlight();
  const saving = useMutation({ mutationFn: request, onSuccess: done, onError: (error) => failed?.(error) });
  return { busy: saving.isPending, error: saving.error as unknown, save: () => runOnce(() => saving.mutateAsync()) };
}
