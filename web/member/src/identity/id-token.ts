import type { Identity } from "./adapter";

interface Claims {
  sub: string;
  exp: number;
  name?: string;
  picture?: string;
}

/**
 * Reads an ID token for display only. Nothing is decided by what it says: the server has LINE verify
 * the same token before it believes a word of it.
 */
export function readIdToken(idToken: string): Claims | null {
  try {
    const payload = idToken.split(".")[1] ?? "";
    const bytes = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const claims: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (c) => c.charCodeAt(0))));
    return isClaims(claims) ? claims : null;
  } catch {
    return null;
  }
}

function isClaims(value: unknown): value is Claims {
  const claims = value as Partial<Claims> | null;
  return typeof claims?.sub === "string" && typeof claims.exp === "number";
}

export function identityFrom(idToken: string, claims: Pick<Claims, "sub" | "name" | "picture">): Identity {
  return {
    idToken,
    userId: claims.sub,
    displayName: claims.name ?? null,
    pictureUrl: claims.picture ?? null,
  };
}
