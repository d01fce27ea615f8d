/** Whether the reservation has moved since the message whose button was tapped. The address carries its revision. */
export function movedSince(search: string, revision: number): boolean {
  const told = new URLSearchParams(search).get("r") ?? "";
  return /^\d{1,9}$/.test(told) && Number(told) < revision;
}
