import { isDay } from "../booking/days";

export const PAYMENT_STATUSES = ["OPEN", "WAITING", "PAID", "EXPIRED", "FAILED", "CREATING"] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const REFUND_STATES = ["PENDING", "DONE", "FAILED"] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** What is looked for stands in the address, so that a reload keeps it. */
export interface PaymentsSearch {
  status?: PaymentStatus;
  refund?: RefundState;
  from?: string;
  to?: string;
  q?: string;
}

export function paymentsSearch(search: Record<string, unknown>): PaymentsSearch {
  const status = PAYMENT_STATUSES.find((one) => one === search["status"]);
  const refund = REFUND_STATES.find((one) => one === search["refund"]);
  const { from, to } = search;
  const q = ["string", "number"].includes(typeof search["q"]) ? String(search["q"]).slice(0, 100).trim() : "";
  return {
    ...(status ? { status } : {}),
    ...(refund ? { refund } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(q ? { q } : {}),
  };
}

/** The same search with one thing changed; an empty value takes it away. */
export function narrowed(search: PaymentsSearch, field: keyof PaymentsSearch, value: string): PaymentsSearch {
  const { [field]: _before, ...others } = search;
  return paymentsSearch({ ...others, [field]: value });
}

export function isNarrowed(search: PaymentsSearch): boolean {
  return Object.keys(search).length > 0;
}
