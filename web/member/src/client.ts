// The API client of the member app: what the kit's client does, in the session of the person whom LINE names.
import { ApiError } from "../../api/errors";
import type { Body } from "../../api/shapes";
import { ApiClient, type ApiRequest, type Fetch } from "../../kit/client";
import { type Identity, type IdentityAdapter, LineUnavailable, TokenRefused } from "./identity/adapter";

const SESSION_PATH = "/api/liff/session";
// Several phones of the sandbox share one cookie jar and may take the session from each other
// while a request is under way; growing pauses let the others finish.
const RETRY_PAUSES_MS = [0, 150, 450];

// Whose session the cookie jar holds, as far as this browser knows. It saves a refused request on
// the first visit and whenever another phone of the sandbox came between; being wrong costs nothing more.
const SESSION_OWNER = "tsudoi:session-of";

export class MemberClient extends ApiClient {
  private exchange: Promise<void> | null = null;

  constructor(
    private readonly identity: Identity,
    private readonly adapter: Pick<IdentityAdapter, "relogin">,
    fetch?: Fetch,
  ) {
    super(fetch);
  }

  /** A missing session, or another phone's, is replaced by our own; then the same request goes again. */
  protected override async request<T>({ headers, ...rest }: ApiRequest): Promise<T> {
    const request = { ...rest, headers: { "x-line-user-id": this.identity.userId, ...headers } };
    if (sessionOwner() !== this.identity.userId) await this.openSession();
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
  openSession(): Promise<void> {
    this.exchange ??= this.exchangeToken().finally(() => {
      this.exchange = null;
    });
    return this.exchange;
  }

  /** The exchange is what makes us this person, so it does not claim an identity in its headers. */
  private async exchangeToken(): Promise<void> {
    const body: Body<typeof SESSION_PATH, "post"> = { id_token: this.identity.idToken };
    try {
      await this.send({ method: "POST", path: SESSION_PATH, body });
      rememberOwner(this.identity.userId);
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
}

function lacksSession(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 401 || error.code === "IDENTITY_MISMATCH";
}

// For browsers that refuse storage to a framed page: the note then lasts as long as the page.
let ownerOfThisPage: string | null = null;

function sessionOwner(): string | null {
  try {
    return localStorage.getItem(SESSION_OWNER);
  } catch {
    return ownerOfThisPage;
  }
}

function rememberOwner(userId: string): void {
  ownerOfThisPage = userId;
  try {
    localStorage.setItem(SESSION_OWNER, userId);
  } catch {
    // The variable above serves instead.
  }
}

function sleep(ms: number): Promise<void> {
  return ms > 0 ? new Promise((done) => setTimeout(done, ms)) : Promise.resolve();
}
