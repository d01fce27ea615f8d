// The member app's whole API client: small, because every byte of it is loaded on a phone.
import { ApiError, apiError, Unreachable } from "../../../api/errors";
import type { Answer, Body, PathsOf } from "../../../api/shapes";
import { type Identity, type IdentityAdapter, LineUnavailable, TokenRefused } from "../identity/adapter";

const SESSION_PATH = "/api/liff/session";
const TIME_OUT_MS = 15_000;
// Several phones of the sandbox share one cookie jar and may take the session from each other
// while a request is under way; growing pauses let the others finish.
const RETRY_PAUSES_MS = [0, 150, 450];

// Whose session the cookie jar holds, as far as this browser knows. It saves a refused request on
// the first visit and whenever another phone of the sandbox came between; being wrong costs nothing more.
const HOLDER = "tsudoi:session-of";

type Fetch = typeof fetch;

interface Request {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export class Client {
  private exchange: Promise<void> | null = null;

  constructor(
    private readonly identity: Identity,
    private readonly adapter: Pick<IdentityAdapter, "relogin">,
    private readonly fetch: Fetch = (...args) => window.fetch(...args),
  ) {}

  get<P extends PathsOf<"get">>(path: P, ids: Record<string, string | number> = {}): Promise<Answer<P, "get">> {
    return this.withSession({ method: "GET", path: fill(path, ids) });
  }

  post<P extends PathsOf<"post">>(
    path: P,
    body: Body<P, "post">,
    ids: Record<string, string | number> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<P, "post">> {
    return this.withSession({ method: "POST", path: fill(path, ids), body, headers });
  }

  /** A missing session, or another phone's, is replaced by our own; then the same request goes again. */
  private async withSession<T>(request: Request): Promise<T> {
    if (holder() !== this.identity.userId) await this.openSession();
    for (const pause of RETRY_PAUSES_MS) {
      try {
        return await this.send<T>(request);
      } catch (error) {
        if (!lacksSession(error)) throw error;
      }
      await sleep(pause && pause * (0.5 + Math.random()));
      await this.openSession();
    }
    return this.send<T>(request);
  }

  /** Requests that fail side by side share one exchange. */
  private openSession(): Promise<void> {
    this.exchange ??= this.exchangeToken().finally(() => {
      this.exchange = null;
    });
    return this.exchange;
  }

  private async exchangeToken(): Promise<void> {
    const body: Body<typeof SESSION_PATH, "post"> = { id_token: this.identity.idToken };
    try {
      await this.send({ method: "POST", path: SESSION_PATH, body });
      hold(this.identity.userId);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "LINE_UNAVAILABLE") throw new LineUnavailable(error.message, { cause: error });
      if (error.status === 401) await this.renewToken(error);
      throw error;
    }
  }

  private async renewToken(cause: ApiError): Promise<never> {
    // True means that the browser is leaving this page, so nothing after this should happen here.
    if (await this.adapter.relogin()) return new Promise<never>(() => {});
    throw new TokenRefused(cause.message, { cause });
  }

  private async send<T>({ method, path, body, headers }: Request): Promise<T> {
    const answer = await this.reach(path, {
      method,
      headers: {
        accept: "application/json",
        // The exchange is what makes us this person, so it claims nothing beforehand.
        ...(path === SESSION_PATH ? {} : { "x-line-user-id": this.identity.userId }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: unknown = answer.status === 204 ? undefined : await answer.json().catch(() => undefined);
    if (!answer.ok) throw apiError(answer, json);
    return json as T;
  }

  private async reach(path: string, init: RequestInit): Promise<Response> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), TIME_OUT_MS);
    try {
      return await this.fetch(path, { ...init, credentials: "same-origin", signal: patience.signal });
    } catch (cause) {
      throw new Unreachable(cause);
    } finally {
      clearTimeout(timer);
    }
  }
}

function lacksSession(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 401 || error.code === "IDENTITY_MISMATCH";
}

// For browsers that refuse storage to a framed page: the note then lasts as long as the page.
let heldHere: string | null = null;

function holder(): string | null {
  try {
    return localStorage.getItem(HOLDER);
  } catch {
    return heldHere;
  }
}

function hold(userId: string): void {
  heldHere = userId;
  try {
    localStorage.setItem(HOLDER, userId);
  } catch {
    // The note above serves instead.
  }
}

function fill(path: string, ids: Record<string, string | number>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ids[name])));
}

function sleep(ms: number): Promise<void> {
  return ms > 0 ? new Promise((done) => setTimeout(done, ms)) : Promise.resolve();
}
