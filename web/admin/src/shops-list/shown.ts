import { matches, searchKey } from "../../../api/search";
import type { Shop } from "../shops/queries";
import { SHOWN, type Shown, type ShopsSearch } from "./search";

export const SHOWN_NAMES: Record<Shown, string> = { open: "営業中", preparing: "準備中", closed: "閉店", trouble: "要確認" };

/** Whether somebody should look at it. A shop that is not open may do without a token. */
export function needsLook({ shop_status, systems, open_tickets, has_token }: Shop): boolean {
  return open_tickets > 0 || (shop_status === "open" && !has_token) || systems.some(({ light }) => light === "warn" || light === "fail");
}

export function belongs(shop: Shop, shown: Shown | undefined): boolean {
  if (shown === "trouble") return needsLook(shop);
  return shown === undefined || shop.shop_status === shown;
}

export function countsOf(shops: readonly Shop[]): Record<Shown, number> {
  return Object.fromEntries(SHOWN.map((shown) => [shown, shops.filter((shop) => belongs(shop, shown)).length])) as Record<Shown, number>;
}

export function found(shops: readonly Shop[], { q, state }: ShopsSearch): Shop[] {
  const wanted = searchKey(q ?? "");
  return shops.filter((shop) => belongs(shop, state) && matches(wanted, shop.name, shop.code, shop.merchant_public_id));
}
