import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ManagedAccount } from "../account/queries";
import classes from "../booking/Booking.module.css";
import { Moment } from "../frame/Moment";
import table from "../frame/Table.module.css";
import { AdminState } from "./AdminState";

export function AdminsTable({ admins, open }: { admins: ManagedAccount[]; open: (id: number) => void }) {
  return (
    <div className={table.panel}>
      <table className={table.table}>
        <caption className={classes.hidden}>管理者</caption>
        <thead>
          <tr>
            <th scope="col">ユーザー名</th>
            <th scope="col">状態</th>
            <th scope="col">二段階認証</th>
            <th scope="col">ログイン中</th>
            <th scope="col">最後の利用</th>
            <th scope="col">
              <span className={classes.hidden}>操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {admins.map((admin) => (
            <AdminRow key={admin.id} admin={admin} open={() => open(admin.id)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AdminRow({ admin, open }: { admin: ManagedAccount; open: () => void }) {
  const browsers = admin.sessions.filter(({ kind }) => kind === "browser").length;
  const tokens = admin.sessions.length - browsers;
  return (
    <tr>
      <td className={classes.name}>
        {admin.username}
        {admin.is_self && <small>あなた</small>}
      </td>
      <td data-label="状態">
        <AdminState admin={admin} />
      </td>
      <td data-label="二段階認証">{admin.has_totp ? "オン" : <span className={classes.soft}>オフ</span>}</td>
      <td data-label="ログイン中">
        {browsers}台{tokens > 0 && <span className={classes.soft}>・トークン{tokens}件</span>}
      </td>
      <td data-label="最後の利用">{admin.last_used_at === null ? <span className={classes.soft}>なし</span> : <Moment at={admin.last_used_at} />}</td>
      <td className={classes.action}>
        {admin.is_self ? (
          <Link to="/account">自分のアカウント</Link>
        ) : (
          <Button variant="default" size="sm" aria-label={`${admin.username}の詳細と操作`} onClick={open}>
            詳細と操作
          </Button>
        )}
      </td>
    </tr>
  );
}
