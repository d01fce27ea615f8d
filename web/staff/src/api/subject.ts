/** Whom an access token names. The page only compares it; the server checks the signature. */
export function subjectOf(accessToken: string): string | null {
  try {
    const payload = (accessToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const { sub } = JSON.parse(atob(payload)) as { sub?: unknown };
    return typeof sub === "string" ? sub : null;
  } catch {
    return null;
  }
}
