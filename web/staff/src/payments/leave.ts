/** Leads to Stripe's page. Nothing but a web address is followed, whatever was sent. */
export function leaveTo(address: string): boolean {
  if (!/^https?:\/\/[^/]/.test(address)) return false;
  location.assign(address);
  return true;
}
