/** `83.3%`. Somebody missing never becomes 100% by rounding, and nobody becomes more than 0%. */
export function percent(count: number, of: number): string {
  if (of === 0) return "–";
  const exact = (count / of) * 100;
  const rounded = count < of ? Math.min(99.9, Math.round(exact * 10) / 10) : 100;
  return `${count > 0 ? Math.max(0.1, rounded) : 0}%`;
}
