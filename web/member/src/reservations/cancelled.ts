/** Whether a reservation was cancelled, in the words of STORES (by whom is part of them) and of our own booking. */
export function isCancelled(status: string): boolean {
  return /^cancell?ed/.test(status);
}
