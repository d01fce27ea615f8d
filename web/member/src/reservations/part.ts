import { lazyScreen } from "../lazy-screen";
import type { MemberPart } from "../part";

export const RESERVATIONS: MemberPart = {
  name: "reservations",
  routes: [{ path: "/reservations", screen: lazyScreen(async () => (await import("./reservations-screen")).ReservationsScreen) }],
  links: [{ to: "/reservations", label: "わたしの予約", text: "これからのご予約をまとめて見る" }],
};

/** Whether a reservation was cancelled, in the words of STORES and of our own booking; `status_label` says by whom. It
 * stands here, in what every page loads anyway, so that two screens do not need a file more for it.
 */
export function isCancelled(status: string): boolean {
  return /^cancell?ed/.test(status);
}
