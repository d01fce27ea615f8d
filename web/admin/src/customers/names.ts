import type { CustomerLink } from "../shops/queries";

/** A LINE user whose name is known only while they are a friend of our account. */
export function nameOf({ display_name }: Pick<CustomerLink, "display_name">): string {
  return display_name === null ? "名前のわからない方" : `${display_name}さん`;
}
