import { CONFIG } from "../config";

/** Whether people can pay online: booking is on, and the server has Stripe's keys. */
export const PAYMENTS_ON = CONFIG.features.includes("payments");
