const NAMES: Record<string, string> = { STORES_API_TOKEN: "接続トークン" };

export function secretName(key: string): string {
  return NAMES[key] ?? key;
}

/** How long a secret has been in use. */
export function agoText(days: number): string {
  return days === 0 ? "今日" : `${days.toLocaleString("ja-JP")}日前`;
}

/** What is wrong with a pasted token, before it is sent. A line break at its end is taken away by the server. */
export function tokenProblem(value: string): string | null {
  const token = value.trim();
  if (token === "") return "トークンを貼り付けてください";
  return /^[!-~]{1,500}$/.test(token) ? null : "半角の英数字と記号だけの、空白のない値を貼り付けてください（500文字まで）";
}
