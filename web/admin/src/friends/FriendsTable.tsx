import { Button } from "@mantine/core";
import shared from "../frame/Table.module.css";
import { Moment } from "../frame/Moment";
import classes from "./FriendsTable.module.css";
import { type Friend, NAMELESS } from "./friend";
import { Portrait } from "./Portrait";

type Choose = (friend: Friend, memberId: number | null) => void;

export function FriendsTable({ friends, choose }: { friends: Friend[]; choose: Choose }) {
  return (
    <div className={shared.panel}>
      <table className={shared.table}>
        <caption className={classes.caption}>未連携の友だち</caption>
        <thead>
          <tr>
            <th scope="col">LINEの名前</th>
            <th scope="col">似た名前の会員</th>
            <th scope="col">最初の連絡</th>
            <th scope="col">最後の連絡</th>
            <th scope="col">
              <span className={classes.caption}>操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {friends.map((friend) => (
            <FriendRow key={friend.user_id} friend={friend} choose={choose} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FriendRow({ friend, choose }: { friend: Friend; choose: Choose }) {
  const name = friend.display_name ?? NAMELESS;
  return (
    <tr>
      <td>
        <div className={classes.person}>
          <Portrait friend={friend} />
          <span>
            <span className={friend.display_name === null ? classes.nameless : undefined}>{name}</span>
            {friend.typed_name && <small className={classes.onLine}>入力した名前：{friend.typed_name}</small>}
            {!friend.following && <span className={classes.blocked}>ブロック</span>}
          </span>
        </div>
      </td>
      <td data-label="似た名前の会員" className={classes.alikes}>
        {friend.suggestions.length === 0 && <span className={classes.nameless}>なし</span>}
        {friend.suggestions.map(({ member_id, name: alike, exact }) => (
          <button key={member_id} type="button" className={classes.alike} onClick={() => choose(friend, member_id)}>
            <span className={classes.caption}>{name}を、</span>
            {alike}
            <small>{exact ? "同じ名前" : "似た名前"}</small>
            <span className={classes.caption}>の会員と連携</span>
          </button>
        ))}
      </td>
      <td data-label="最初の連絡">
        <Moment at={friend.first_contact_at} />
      </td>
      <td data-label="最後の連絡">
        <Moment at={friend.last_contact_at} />
      </td>
      <td className={classes.action}>
        <Button variant="default" size="sm" aria-label={`${name}と連携する会員を選ぶ`} onClick={() => choose(friend, null)}>
          会員を選ぶ
        </Button>
      </td>
    </tr>
  );
}
