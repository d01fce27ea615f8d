// What the browser remembers of a session besides the cookie: that there may be one, whether the device is the person's
// own, and when somebody last touched the page. All tabs share it. It holds nothing secret and no name.
import { browserStorage } from "../../../kit/storage";

export const SESSION_KEY = "tsudoi:staff:session";
const ACTIVE_KEY = "tsudoi:staff:active";

export interface SessionMark {
  /** The device is the person's own, so that nobody is logged out for not touching it. */
  own: boolean;
}

export class Marks {
  private lastActive = Date.now();

  constructor(private readonly storage: Storage | null = browserStorage()) {}

  /** Null when nobody is logged in. A browser without storage may have a session all the same. */
  session(): SessionMark | null {
    if (!this.storage) return { own: false };
    const found = this.read(SESSION_KEY);
    return found === null ? null : { own: found.startsWith("own") };
  }

  begin(own: boolean): void {
    // The time makes each log-in a new value, so that other tabs hear of it.
    this.write(SESSION_KEY, `${own ? "own" : "shared"}:${Date.now()}`);
    this.touch();
  }

  end(): void {
    try {
      this.storage?.removeItem(SESSION_KEY);
    } catch {
      // There is nothing to remove where storage is refused.
    }
  }

  touch(): void {
    this.lastActive = Date.now();
    this.write(ACTIVE_KEY, String(this.lastActive));
  }

  /** Milliseconds of the last touch in any tab. */
  lastTouch(): number {
    return Number(this.read(ACTIVE_KEY) ?? this.lastActive);
  }

  private read(key: string): string | null {
    try {
      return this.storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  }

  private write(key: string, value: string): void {
    try {
      this.storage?.setItem(key, value);
    } catch {
      // The page works without; only a reload forgets it.
    }
  }
}
