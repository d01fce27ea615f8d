import { Avatar } from "@mantine/core";
import type { Answer } from "../../../api/shapes";
import lists from "../frame/Lists.module.css";
import { Moment } from "../frame/Moment";
import classes from "./FriendsTable.module.css";

type Friend = Answer<"/api/admin/line/friends">["items"][number];

export function FriendsTable({ friends }: { friends: Friend[] }) {
  return (
    <div className={lists.panel}>
      <table className={lists.table}>
        <caption className={classes.caption}>LINEの友だち</caption>
        <thead>
          <tr>
            <th scope="col">LINEの名前</th>
            <th scope="col">状態</th>
            <th scope="col">最初の連絡</th>
            <th scope="col">最後の連絡</th>
          </tr>
        </thead>
        <tbody>
          {friends.map((friend) => (
            <FriendRow key={friend.user_id} friend={friend} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FriendRow({ friend }: { friend: Friend }) {
  return (
    <tr>
      <td>
        <div className={classes.person}>
          <Portrait friend={friend} />
          {friend.display_name === null ? <span className={classes.nameless}>名前を取得できていません</span> : <span>{friend.display_name}</span>}
        </div>
      </td>
      <td data-label="状態">
        <span className={classes.state} data-blocked={!friend.following || undefined}>
          {friend.following ? "友だち" : "ブロック"}
        </span>
      </td>
      <td data-label="最初の連絡">
        <Moment at={friend.first_contact_at} />
      </td>
      <td data-label="最後の連絡">
        <Moment at={friend.last_contact_at} />
      </td>
    </tr>
  );
}

/** LINE's picture where there is one, otherwise the first letter of the name. */
function Portrait({ friend }: { friend: Friend }) {
  const letter = [...(friend.display_name?.trim() ?? "")][0] ?? "？";
  return (
    <Avatar
      src={friend.picture_url}
      alt=""
      size={36}
      radius="xl"
      color="matsu"
      imageProps={{ referrerPolicy: "no-referrer", loading: "lazy" }}
      aria-hidden="true"
    >
      {letter}
    </Avatar>
  );
}
