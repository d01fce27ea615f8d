import type { Parameter } from "../shops/queries";

/** The parameter whose value is a shop. */
export const CHECKED_SHOP = "stores_healthcheck_shop_id";

export type Scope = "shop" | "global";

/** A value as people read it. `shopName` knows the shops by their ids. */
export function valueText(key: string, value: number | string | null, shopName: (id: number) => string | undefined = () => undefined): string {
  if (value === null) return "なし";
  if (key === CHECKED_SHOP) return shopName(Number(value)) ?? `番号${value}の店舗`;
  return `${Number(value).toLocaleString("ja-JP")}${unitOf(key)}`;
}

export function unitOf(key: string): string {
  return key.endsWith("_sec") || key.endsWith("_seconds") ? "秒" : "回";
}

/** What is stored for this shop or for all of them. */
export function storedAt({ stored }: Parameter, scope: Scope, shopId: number): string | null {
  return stored.find((one) => one.scope === scope && (scope === "global" || one.shop_id === shopId))?.value ?? null;
}

/** How many other shops do not follow a value for all shops, because they have one of their own. */
export function othersOwn({ stored }: Parameter, shopId: number): number {
  return stored.filter(({ scope, shop_id }) => scope === "shop" && shop_id !== shopId).length;
}

export function rangeText({ key, lowest, highest }: Parameter): string {
  return `${lowest.toLocaleString("ja-JP")}〜${highest.toLocaleString("ja-JP")}${unitOf(key)}`;
}
