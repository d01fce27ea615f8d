// The one door through which the app learns who holds the phone. LINE's SDK stands behind it in
// production, the sandbox's own small adapter in the demo; nothing else in the app knows which.

export interface Identity {
  idToken: string;
  userId: string;
  displayName: string | null;
  pictureUrl: string | null;
}

export interface IdentityAdapter {
  /**
   * Resolves once the person is known and the URL is the screen they asked for. Until then nobody
   * may change the URL: LINE hands over its tokens in it, in two redirects. A redirect leaves the
   * page, so the promise then never settles.
   */
  init(): Promise<Identity>;

  /** Asks LINE for a fresh token. Resolves to false when only the person can help, by opening the page again. */
  relogin(): Promise<boolean>;

  /** The address that opens this page inside LINE, where there is one. */
  lineUrl(): string | null;

  /** Starts LINE's log-in in a browser outside LINE, where that is possible. */
  login: (() => void) | null;
}

/** The page was opened without LINE having said who the person is. */
export class NotInLine extends Error {
  override readonly name = "NotInLine";
}

/** LINE itself cannot say at the moment who the person is. */
export class LineUnavailable extends Error {
  override readonly name = "LineUnavailable";
}

/** The token is no longer good and could not be renewed from here. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
}
