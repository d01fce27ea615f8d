import type { Answer } from "../../../api/shapes";

export type LinkedShop = Answer<"/api/liff/shops/{store_code}">;
export type ConfirmedLink = Answer<"/api/liff/identity/confirm", "post">;
export type ShopContacts = LinkedShop["shop"];

/** What a person types to be found. */
export interface TypedContact {
  email: string;
  phone_number: string;
  name: string;
}
