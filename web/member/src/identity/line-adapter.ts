import type { LiffCore } from "@liff/core";
import type {} from "@line/liff/get-decoded-id-token";
import type {} from "@line/liff/get-id-token";
import type {} from "@line/liff/is-in-client";
import type {} from "@line/liff/is-logged-in";
import type {} from "@line/liff/login";
import type {} from "@line/liff/logout";
import { type Identity, type IdentityAdapter, LineUnavailable, NotInLine } from "./adapter";
import { identityFrom } from "./id-token";

export type Liff = Pick<
  LiffCore,
  "init" | "isInClient" | "isLoggedIn" | "getIDToken" | "getDecodedIDToken" | "login" | "logout"
>;
type Page = Pick<Window, "location" | "sessionStorage">;

// The SDK waits without end for some of LINE's own files when a network or a policy keeps them away.
const INIT_TIME_OUT_MS = 20_000;
const RELOGIN_MARK = "tsudoi:relogin-at";
const RELOGIN_PAUSE_MS = 60_000;

export class LineAdapter implements IdentityAdapter {
  readonly login = (): void => this.liff.login({ redirectUri: this.page.location.href });

  constructor(
    private readonly liff: Liff,
    private readonly liffId: string,
    private readonly page: Page,
  ) {}

  async init(): Promise<Identity> {
    try {
      await withinTime(this.liff.init({ liffId: this.liffId }), INIT_TIME_OUT_MS);
    } catch (cause) {
      throw new LineUnavailable("LINE's SDK did not start", { cause });
    }
    return this.identity();
  }

  private async identity(): Promise<Identity> {
    const idToken = this.liff.isLoggedIn() ? this.liff.getIDToken() : null;
    const claims = idToken ? this.liff.getDecodedIDToken() : null;
    if (!idToken || !claims?.sub) throw new NotInLine("LINE gave no ID token");
    return identityFrom(idToken, { ...claims, sub: claims.sub });
  }

  /**
   * The SDK keeps an expired token and hands it out again, so one has to log out first. Reopening
   * the LIFF URL makes LINE issue a fresh one. A second try within a minute would be a loop.
   */
  async relogin(): Promise<boolean> {
    if (this.triedJustNow()) return false;
    const inLine = this.liff.isInClient();
    this.liff.logout();
    if (inLine) this.page.location.replace(this.lineUrl());
    else this.login();
    return true;
  }

  private triedJustNow(): boolean {
    const last = Number(this.page.sessionStorage.getItem(RELOGIN_MARK) ?? 0);
    this.page.sessionStorage.setItem(RELOGIN_MARK, String(Date.now()));
    return Date.now() - last < RELOGIN_PAUSE_MS;
  }

  /** The query is left out: it holds LINE's own parameters by now, and ids stand in the path. */
  lineUrl(): string {
    const path = this.page.location.pathname.replace(/^\/liff/, "").replace(/\/$/, "");
    return `https://liff.line.me/${this.liffId}${path}`;
  }
}

function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
