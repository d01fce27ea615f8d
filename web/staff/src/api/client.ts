// The API client of the staff portal: what the kit's client does, with an access token that lives in memory only. The
// refresh token is in a cookie that no script can read.
import { ApiError, Unreachable } from "../../../api/errors";
import { ApiClient, type ApiRequest, type Fetch } from "../../../kit/client";
import type { LoginResult, Tokens } from "./shapes";
import { subjectOf } from "./subject";

/** A token that is nearly over is renewed before it is used. */
const RENEW_BEFORE_MS = 30_000;
const REFRESH_TIME_OUT_MS = 4_000;
const REFRESH_LOCK = "tsudoi:staff:refresh";

/** Another person has logged in in another tab, so that the cookie is theirs. */
export class AnotherPerson extends Error {
  override readonly name = "AnotherPerson";
}

/** There is no session any more: the cookie is missing, or the server no longer takes it. */
export class SessionOver extends Error {
  override readonly name = "SessionOver";
}

interface Access {
  token: string;
  expiresAt: number;
}

export class StaffClient extends ApiClient {
  private access: Access | null = null;
  private person: string | null = null;
  private refreshing: Promise<void> | null = null;

  constructor(
    /** Told about every refusal that leads to another screen, whichever request met it. */
    private readonly onRefused: (error: unknown) => void = () => {},
    fetch?: Fetch,
  ) {
    super(fetch);
  }

  async login(staffId: string, pin: string): Promise<LoginResult> {
    const body = { staffId, pin, transport: "cookie" };
    const result = await this.send<LoginResult>({ method: "POST", path: "/auth/login", body });
    this.person = null;
    this.take(result);
    return result;
  }

  /** Takes up the session of the cookie. False: there is none. */
  async resume(): Promise<boolean> {
    try {
      await this.refresh();
      return true;
    } catch (error) {
      if (error instanceof SessionOver) return false;
      throw error;
    }
  }

  /** Ends the session here at once, and on the server when it can be reached. */
  async logout(): Promise<void> {
    const headers = this.headers();
    this.access = null;
    this.person = null;
    await this.send({ method: "POST", path: "/auth/logout", body: {}, headers }).catch(() => {});
  }

  /** For pages that everybody may see. */
  openly<T>(request: ApiRequest): Promise<T> {
    return this.send<T>(request);
  }

  override request<T>(request: ApiRequest): Promise<T> {
    // The server takes JSON alone, and asks for the type of a deletion too, which has no body.
    const json = request.method === "GET" ? {} : { "content-type": "application/json" };
    return this.withAccess((headers) => this.send<T>({ ...request, headers: { ...json, ...headers, ...request.headers } }));
  }

  /**
   * A token that the server no longer takes is renewed once; then the same request goes again. A second refusal is not
   * about this session: linking LINE needs a session of LINE's too.
   */
  private async withAccess<T>(ask: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    try {
      if (!this.access || this.access.expiresAt - Date.now() < RENEW_BEFORE_MS) await this.refresh();
      return await ask(this.headers()).catch(async (error: unknown) => {
        if (!isUnauthenticated(error)) throw error;
        await this.refresh();
        return ask(this.headers());
      });
    } catch (error) {
      this.onRefused(error);
      throw error;
    }
  }

  /** Requests side by side share one refresh, and so do tabs, where the browser can lock. */
  private refresh(): Promise<void> {
    this.refreshing ??= inTurn(() => this.askForTokens()).finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private async askForTokens(): Promise<void> {
    // The server answers a repeated refresh for ten seconds, so both attempts have to fit into that time.
    const ask = () =>
      this.send<Tokens>({ method: "POST", path: "/auth/refresh", body: {}, timeOutMs: REFRESH_TIME_OUT_MS });
    // A response can get lost. The server gives the same tokens again for a few seconds, so the repetition is immediate.
    const again = (error: unknown) => (error instanceof Unreachable ? ask() : Promise.reject(error));
    const over = (error: unknown) => Promise.reject(isUnauthenticated(error) ? new SessionOver("", { cause: error }) : error);
    this.take(await ask().catch(again).catch(over));
  }

  private take({ accessToken, expiresIn }: Tokens): void {
    const subject = subjectOf(accessToken);
    if (this.person !== null && subject !== this.person) throw new AnotherPerson();
    this.person = subject;
    this.access = { token: accessToken, expiresAt: Date.now() + expiresIn * 1000 };
  }

  private headers(): Record<string, string> {
    return this.access ? { authorization: `Bearer ${this.access.token}` } : {};
  }
}

async function inTurn(work: () => Promise<void>): Promise<void> {
  // Old browsers have no locks, and neither has a page without HTTPS.
  const locks = globalThis.navigator?.locks as LockManager | null | undefined;
  await (locks ? locks.request(REFRESH_LOCK, work) : work());
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
