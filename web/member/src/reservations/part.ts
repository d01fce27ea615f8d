import { lazyScreen } from "../lazy-screen";
import type { MemberPart } from "../part";

export const RESERVATIONS: MemberPart = {
  name: "reservations",
  routes: [{ path: "/reservations", screen: lazyScreen(async () => (await import("./reservations-screen")).ReservationsScreen) }],
  links: [{ to: "/reservations", label: "わたしの予約", text: "これからのご予約をまとめて見る" }],
};
