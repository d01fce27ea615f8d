import { Link } from "@tanstack/react-router";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import table from "../frame/Table.module.css";
import { HelpAddress } from "../shops/HelpAddress";
import { SystemLight } from "../shops/Light";
import type { Shop } from "../shops/queries";
import { ticketsOf } from "../shops/elsewhere";
import { inNumbers, SHOP_STATUSES } from "../shops/words";
import own from "./ShopsList.module.css";

export function ShopsTable({ shops }: { shops: readonly Shop[] }) {
  return (
    <div className={table.panel}>
      <table className={`${table.table} ${own.table}`}>
        <caption className={classes.hidden}>店舗</caption>
        <thead>
          <tr>
            <th scope="col">店舗</th>
            <th scope="col">外部との接続</th>
            <th scope="col">未完了のチケット</th>
            <th scope="col">連携</th>
            <th scope="col">ヘルプページ</th>
          </tr>
        </thead>
        <tbody>
          {shops.map((shop) => (
            <ShopRow key={shop.id} shop={shop} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ShopRow({ shop }: { shop: Shop }) {
  const status = SHOP_STATUSES[shop.shop_status];
  return (
    <tr>
      <td className={classes.name}>
        <Link to="/shops/$shopId" params={{ shopId: String(shop.id) }}>
          {shop.name}
        </Link>
        <span className={own.under}>
          <small>{shop.code}</small>
          <Badge tone={status.tone}>{status.name}</Badge>
        </span>
      </td>
      <td data-label="外部との接続" className={own.systems}>
        {shop.systems.map((system) => (
          <SystemLight key={system.system} system={system} />
        ))}
        {!shop.has_token && <Badge tone={shop.shop_status === "open" ? "bad" : "plain"}>トークン未登録</Badge>}
      </td>
      <td data-label="未完了のチケット" className={classes.number}>
        {shop.open_tickets > 0 ? (
          <Link {...ticketsOf(shop.id)} className={own.trouble}>
            {inNumbers(shop.open_tickets)}件
          </Link>
        ) : (
          <span className={classes.soft}>なし</span>
        )}
      </td>
      <td data-label="連携" className={classes.number}>
        {shop.links > 0 ? (
          <Link to="/customers" search={{ shop_id: shop.id }}>
            {inNumbers(shop.links)}人
          </Link>
        ) : (
          <span className={classes.soft}>なし</span>
        )}
      </td>
      <td data-label="ヘルプページ" className={own.help}>
        <HelpAddress url={shop.help_url} shopName={shop.name} />
      </td>
    </tr>
  );
}
