import { expect, test } from "vitest";
import type { Shop } from "../shops/queries";
import { shopsSearch } from "./search";
import { countsOf, found, needsLook } from "./shown";

const STORES = { system: "stores", light: "ok", failures_in_a_row: 0, last_success_at: null, last_failure_at: null, last_error: null, breaker: "closed", open_until: null } as const;
const SAKAE: Shop = {
  id: 1,
  code: "ngy1",
  name: "名古屋栄店",
  shop_status: "open",
  shop_email: null,
  phone: null,
  stores_public_url: null,
  merchant_public_id: "sakae",
  merchant_canonical_id: "mc_1",
  has_token: true,
  open_tickets: 0,
  links: 12,
  help_url: "https://tsudoi.example.jp/help/ngy1",
  systems: [STORES],
  updated_at: "2026-11-20T10:15:00+09:00",
};

test("a shop needs a look for tickets, a missing token while it is open, and a light that is not good", () => {
  expect(needsLook(SAKAE)).toBe(false);
  expect(needsLook({ ...SAKAE, open_tickets: 1 })).toBe(true);
  expect(needsLook({ ...SAKAE, systems: [{ ...STORES, light: "warn" }] })).toBe(true);
  expect([needsLook({ ...SAKAE, has_token: false }), needsLook({ ...SAKAE, has_token: false, shop_status: "preparing" })]).toEqual([true, false]);
});

test("shops are found by name, code and public id within a state", () => {
  const shops = [SAKAE, { ...SAKAE, id: 2, code: "osk1", name: "大阪梅田店", merchant_public_id: null, shop_status: "closed" as const }];
  expect(countsOf(shops)).toEqual({ open: 1, preparing: 0, closed: 1, trouble: 0 });
  expect(found(shops, { q: "ＯＳＫ" }).map(({ id }) => id)).toEqual([2]);
  expect(found(shops, { q: "SAKAE" }).map(({ id }) => id)).toEqual([1]);
  expect(found(shops, { q: "店", state: "closed" }).map(({ id }) => id)).toEqual([2]);
});

test("the address keeps what is understood and drops the rest", () => {
  expect(shopsSearch({ q: " 栄 ", state: "trouble", page: 3 })).toEqual({ q: "栄", state: "trouble" });
  expect(shopsSearch({ q: "", state: "x" })).toEqual({});
});
