/** An unsigned token of the right shape; the app never checks signatures, the server does. */
export function idTokenOf(claims: Record<string, unknown>): string {
  const part = (value: unknown) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  return `${part({ alg: "ES256" })}.${part({ exp: 4_000_000_000, ...claims })}.signature`;
}
