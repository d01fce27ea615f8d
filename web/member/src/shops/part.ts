import { lazyScreen } from "../lazy-screen";
import type { MemberPart } from "../part";

export const SHOPS: MemberPart = {
  name: "shops",
  routes: [
    { path: "/shops", screen: lazyScreen(async () => (await import("./shop-choice")).ShopChoice) },
    { path: "/shops/:code", screen: lazyScreen(async () => (await import("./shop-screen")).ShopScreen) },
  ],
  links: [{ to: "/shops", label: "お店との連携", text: "ご予約の本人確認" }],
};
