/** `3,000円` */
export function formatYen(amount: number): string {
  return `${String(amount).replace(/\B(?=(\d{3})+$)/g, ",")}円`;
}
