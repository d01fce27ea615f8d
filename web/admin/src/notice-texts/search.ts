export const TEXT_KEYS = ["CONFIRMATION", "MOVED", "REMINDER", "CANCEL_COMPLETED", "REFUNDED"] as const;
export type TextKey = (typeof TEXT_KEYS)[number];

export interface TextsSearch {
  key?: TextKey;
}

export function textsSearch(search: Record<string, unknown>): TextsSearch {
  const key = TEXT_KEYS.find((one) => one === search["key"]);
  return key ? { key } : {};
}
