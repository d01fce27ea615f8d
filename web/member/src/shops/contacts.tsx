import type { JSX } from "preact";
import { OfficePhone } from "../../../kit/ask-office";
import type { ShopContacts } from "./shapes";

/** The ways to a person: on every screen of a shop, because somebody may stand in front of its door. Where the shop has
 * no telephone, the office's stands in.
 */
export function Contacts({ shop }: { shop: ShopContacts }): JSX.Element | null {
  const { phone, email } = shop;
  const page = /^https?:\/\//.test(shop.stores_public_url ?? "") ? shop.stores_public_url : null;
  if (!phone && !email && !page) {
    return (
      <p class="contacts">
        <OfficePhone>お急ぎのときは、お電話ください。</OfficePhone>
      </p>
    );
  }
  return (
    <section class="contacts" aria-labelledby="contacts">
      <h2 id="contacts">お急ぎのとき・うまくいかないとき</h2>
      {!phone && (
        <p>
          <OfficePhone />
        </p>
      )}
      <div class="actions">
        {phone && (
          <a class="button button-quiet" href={`tel:${phone.normalize("NFKC").replace(/[^\d+]/g, "")}`}>
            店舗に電話する（{phone}）
          </a>
        )}
        {email && (
          <a class="button button-quiet" href={`mailto:${email}`}>
            店舗にメールする
          </a>
        )}
        {page && (
          <a class="button button-quiet" href={page} rel="noopener noreferrer">
            STORESのマイページを見る
          </a>
        )}
      </div>
    </section>
  );
}
