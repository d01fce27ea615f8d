import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Badge } from "../booking/Badge";
import classes from "../booking/Booking.module.css";
import { Moment } from "../frame/Moment";
import table from "../frame/Table.module.css";
import type { CustomerLink } from "../shops/queries";
import { LINK_STATES } from "../shops/words";
import own from "./Customers.module.css";
import { nameOf } from "./names";

interface CustomersTableProps {
  links: readonly CustomerLink[];
  unlink: (link: CustomerLink) => void;
}

export function CustomersTable({ links, unlink }: CustomersTableProps) {
  return (
    <div className={table.panel}>
      <table className={`${table.table} ${own.table}`}>
        <caption className={classes.hidden}>連携したお客さま</caption>
        <thead>
          <tr>
            <th scope="col">LINEの名前</th>
            <th scope="col">店舗</th>
            <th scope="col">STORESの顧客番号</th>
            <th scope="col">状態</th>
            <th scope="col">連携した日時</th>
            <th scope="col">
              <span className={classes.hidden}>操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {links.map((link) => (
            <LinkRow key={link.id} link={link} unlink={unlink} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const LinkRow = memo(function LinkRow({ link, unlink }: { link: CustomerLink; unlink: (link: CustomerLink) => void }) {
  const state = LINK_STATES[link.state];
  return (
    <tr>
      <td className={classes.name}>
        {link.display_name ?? <span className={classes.soft}>{nameOf(link)}</span>}
        <small className={own.id} title={link.external_user_id}>
          {link.external_user_id}
        </small>
      </td>
      <td data-label="店舗" className={own.shop}>
        <Link to="/shops/$shopId" params={{ shopId: String(link.shop_id) }}>
          {link.shop_name}
        </Link>
      </td>
      <td data-label="STORESの顧客番号" className={own.number}>
        {link.stores_customer_id}
      </td>
      <td data-label="状態">
        <Badge tone={state.tone}>{state.name}</Badge>
        <small className={own.why}>{state.why}</small>
      </td>
      <td data-label="連携した日時">
        <Moment at={link.created_at} />
      </td>
      <td className={classes.action}>
        <Button variant="subtle" size="sm" color="var(--red)" aria-label={`${nameOf(link)}の連携を解除する`} onClick={() => unlink(link)}>
          解除する
        </Button>
      </td>
    </tr>
  );
});
