export const CALL_OUTCOMES = ["ok", "failed"] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];
export const SYSTEMS = ["stores", "chatwork", "twilio", "karaden", "smtp", "line", "openai", "gemini", "stripe", "sheets"] as const;

/** What is looked for stands in the address, so that a ticket can lead to it and a reload keeps it. */
export interface CallsSearch {
  request?: string;
  shop_id?: number;
  system?: string;
  status?: CallOutcome;
  /** The call that is open beside the list. */
  call?: number;
}

export function callsSearch(search: Record<string, unknown>): CallsSearch {
  // A number of digits alone is read from the address as a number.
  const request = ["string", "number"].includes(typeof search["request"]) ? String(search["request"]).trim().slice(0, 64) : "";
  const system = SYSTEMS.find((one) => one === search["system"]);
  const status = CALL_OUTCOMES.find((one) => one === search["status"]);
  const shop_id = positive(search["shop_id"]);
  const call = positive(search["call"]);
  return {
    ...(request ? { request } : {}),
    ...(shop_id ? { shop_id } : {}),
    ...(system ? { system } : {}),
    ...(status ? { status } : {}),
    ...(call ? { call } : {}),
  };
}

function positive(value: unknown): number | null {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** The same search with one thing changed; an empty value takes it away. The open call is closed by it. */
export function narrowed({ call: _call, ...search }: CallsSearch, field: Exclude<keyof CallsSearch, "call">, value: string): CallsSearch {
  const { [field]: _before, ...others } = search;
  return callsSearch({ ...others, [field]: value });
}

export function isNarrowed({ call: _call, ...search }: CallsSearch): boolean {
  return Object.keys(search).length > 0;
}
