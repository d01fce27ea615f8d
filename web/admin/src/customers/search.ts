/** What is looked for stands in the address, so that a reload keeps it. */
export interface CustomersSearch {
  q?: string;
  shop_id?: number;
}

export function customersSearch(search: Record<string, unknown>): CustomersSearch {
  const q = String(search["q"] ?? "").slice(0, 100).trim();
  const shop_id = Number(search["shop_id"]);
  return { ...(q ? { q } : {}), ...(Number.isSafeInteger(shop_id) && shop_id > 0 ? { shop_id } : {}) };
}
