// What the codes of shops mean in Japanese.
import type { Tone } from "../booking/Badge";
import type { CustomerLink, Shop } from "./queries";

export type ShopStatus = Shop["shop_status"];

export const SHOP_STATUSES: Record<ShopStatus, { name: string; tone: Tone }> = {
  open: { name: "営業中", tone: "good" },
  preparing: { name: "準備中", tone: "warn" },
  closed: { name: "閉店", tone: "plain" },
};

/** As STORES said when it was last asked about the customer. */
export const LINK_STATES: Record<CustomerLink["state"], { name: string; tone: Tone; why: string }> = {
  valid: { name: "有効", tone: "good", why: "STORES予約で確認済み" },
  broken: { name: "無効", tone: "bad", why: "STORES予約で見つかりません" },
  unknown: { name: "未確認", tone: "plain", why: "連携したあと、まだ問い合わせていません" },
};

export const inNumbers = (count: number): string => count.toLocaleString("ja-JP");
