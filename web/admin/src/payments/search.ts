export interface PaymentsSearch { q?: string }
export function paymentsSearch(_search: Record<string, unknown>): PaymentsSearch { return {}; }
