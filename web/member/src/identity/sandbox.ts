import { type Identity, type IdentityAdapter, NotInLine } from "./adapter";
import { identityFrom, readIdToken } from "./id-token";

type Page = Pick<Window, "location" | "history" | "parent" | "name">;

/**
 * The stand-in for LINE's SDK in the demo. The identity is kept in `window.name`, because it has to
 * survive a reload and yet differ between several phone frames of one tab, which share their
 * session storage.
 */
export class SandboxAdapter implements IdentityAdapter {
  readonly login = null;

  constructor(
    private readonly page: Page,
    private readonly base: string,
  ) {}

  async init(): Promise<Identity> {
    const arrived = this.takeFromUrl();
    if (arrived) {
      this.page.name = JSON.stringify({ tsudoi: arrived });
      if (this.redirectToState()) return new Promise<never>(() => {});
      this.page.history.replaceState(null, "", this.page.location.pathname + this.page.location.search);
    }
    const identity = arrived ?? this.remembered();
    if (!identity) throw new NotInLine("the sandbox gave no ID token");
    return identity;
  }

  private takeFromUrl(): Identity | null {
    const handed = new URLSearchParams(this.page.location.hash.slice(1));
    const idToken = handed.get("id_token");
    if (!idToken) return null;
    const claims = readIdToken(idToken);
    const userId = handed.get("user_id") ?? claims?.sub;
    return userId ? identityFrom(idToken, { ...claims, sub: userId }) : null;
  }

  /** LINE's second redirect: from the endpoint with `liff.state` to the endpoint plus the path asked for. */
  private redirectToState(): boolean {
    const state = new URLSearchParams(this.page.location.search).get("liff.state");
    if (state === null) return false;
    const target = new URL(this.base + state.replace(/^[/\\]+/, ""), this.page.location.origin);
    const inside = target.origin === this.page.location.origin && target.pathname.startsWith(this.base);
    this.page.location.replace(inside ? target.href : this.base);
    return true;
  }

  private remembered(): Identity | null {
    try {
      return (JSON.parse(this.page.name) as { tsudoi?: Identity }).tsudoi ?? null;
    } catch {
      return null;
    }
  }

  /** Only the phone around this frame can make a new token. The message carries nothing secret, so any parent may hear it. */
  async relogin(): Promise<boolean> {
    this.page.name = "";
    if (this.page.parent !== (this.page as unknown)) this.page.parent.postMessage({ type: "tsudoi:relogin" }, "*");
    return false;
  }

  lineUrl(): null {
    return null;
  }
}
