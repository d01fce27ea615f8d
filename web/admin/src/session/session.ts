// Who is logged in. The CSRF token lives in memory only; after a reload `GET /api/admin/me` gives it back.

export interface SessionState {
  username: string | null;
  /** The server no longer knows the session, while the person is still at work. */
  expired: boolean;
}

/** What has to be done before anything else: choose a new password, or set up the second factor. */
export type NextStep = "password" | "totp" | null;

export class Session {
  csrfToken: string | null = null;
  nextStep: NextStep = null;
  private state: SessionState = { username: null, expired: false };
  private readonly listeners = new Set<() => void>();
  private waiting: (() => void)[] = [];

  /** The server gives no token to callers that need none; the console always gets one. */
  begin(username: string, csrfToken: string | null, nextStep: NextStep = null): void {
    this.csrfToken = csrfToken;
    this.nextStep = nextStep;
    this.change({ username, expired: false });
    const resumed = this.waiting;
    this.waiting = [];
    for (const resume of resumed) resume();
  }

  end(): void {
    this.csrfToken = null;
    this.nextStep = null;
    this.waiting = [];
    this.change({ username: null, expired: false });
  }

  /** Asks for a new log-in, once for all who wait, and resolves when it has happened. */
  renewed(): Promise<void> {
    if (!this.state.expired) this.change({ ...this.state, expired: true });
    return new Promise((resume) => this.waiting.push(resume));
  }

  readonly snapshot = (): SessionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private change(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

export const session = new Session();
