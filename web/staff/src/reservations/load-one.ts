import { useLoad, type Loaded } from "../../../kit/load";
import type { Reservation } from "../api/shapes";
import { useSession } from "../session/session";

/** One of the person's own reservations; null when there is none with this number. */
export function useReservation(id: string | undefined): [Loaded<Reservation | null>, () => void] {
  const { api } = useSession();
  return useLoad(async () => (await api.reservations()).find((one) => String(one.id) === id) ?? null);
}
