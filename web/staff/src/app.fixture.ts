import { vi } from "vitest";
import type { Profile } from "./api/shapes";
import { PROFILE } from "./profile/profile.fixture";
import { RESERVATION } from "./reservations/reservation.fixture";
import { SLOT } from "./slots/slot.fixture";

export const COMPLETE: Profile = { ...PROFILE, emrPatientId: "91001", dateOfBirth: "1990-04-01", sexCode: "2", missing: [] };

export interface Asked {
  method: string;
  path: string;
  key: string | null;
  body: unknown;
}

type Answer = unknown | ((asked: Asked) => unknown);

export class Refused {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly message = "サーバーの言葉",
  ) {}
}

const TOKENS = { accessToken: `h.${btoa(JSON.stringify({ sub: "u" }))}.s`, expiresIn: 900 };
const page = (items: unknown[]) => ({ items, nextCursor: null });

/** A server that answers by method and path; a test replaces what it is about. An `Error` is a lost answer. */
export function fakeServer(answers: Record<string, Answer> = {}) {
  const asked: Asked[] = [];
  const known: Record<string, Answer> = {
    "GET /auth/options": { selfRegistration: "open" },
    "POST /auth/login": { ...TOKENS, pinMustChange: false, profileComplete: true },
    "POST /auth/refresh": TOKENS,
    "POST /auth/logout": null,
    "GET /api/staffs/me": COMPLETE,
    "GET /api/departments": { items: [{ id: "3A", name: "3階A病棟" }] },
    "GET /api/slots": page([SLOT]),
    "GET /api/reservations/me": page([RESERVATION]),
    "GET /api/waiting/me": page([]),
    "POST /api/reservations": RESERVATION,
    "GET /api/reservations/501/notice": { told: "SENT", remindAt: "2099-10-18T09:00:00+09:00" },
    ...answers,
  };
  const fetch = vi.fn(async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const path = String(input).split("?")[0] ?? "";
    const one: Asked = {
      method: init.method ?? "GET",
      path,
      key: new Headers(init.headers).get("idempotency-key"),
      body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
    };
    asked.push(one);
    const answer = known[`${one.method} ${path}`];
    const said: unknown = typeof answer === "function" ? await answer(one) : answer;
    if (said instanceof Error) throw said;
    if (said instanceof Refused) return Response.json({ code: said.code, message: said.message, details: [] }, { status: said.status });
    return said === null ? new Response(null, { status: 204 }) : Response.json(said ?? {});
  });
  return { asked, known, fetch: fetch as unknown as typeof globalThis.fetch };
}
