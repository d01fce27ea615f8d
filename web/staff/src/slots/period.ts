/** The Japanese fiscal year of a day, which begins on April 1: `FY2025` for 2026-03-31. */
export function periodOf(day: string): string {
  const year = Number(day.slice(0, 4));
  return `FY${Number(day.slice(5, 7)) >= 4 ? year : year - 1}`;
}
