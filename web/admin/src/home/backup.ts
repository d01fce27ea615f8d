const HOUR_MS = 60 * 60 * 1000;

/** `3時間前`: how long ago something was made. A clock of this device that is behind the server's says 「1時間以内」. */
export function ageOf(at: string, now: Date = new Date()): string {
  const hours = Math.floor((now.getTime() - Date.parse(at)) / HOUR_MS);
  if (hours < 1) return "1時間以内";
  return hours < 48 ? `${hours}時間前` : `${Math.floor(hours / 24)}日前`;
}
