import { Link } from "@tanstack/react-router";
import type { Answer } from "../../../api/shapes";
import classes from "./HomePage.module.css";

export function FriendsCard({ friends }: { friends: Answer<"/api/admin/overview">["friends"] }) {
  return (
    <section className={classes.card} aria-labelledby="home-friends">
      <div className={classes.title}>
        <h2 id="home-friends">LINEの友だち</h2>
        <Link to="/friends">一覧を見る</Link>
      </div>
      <p className={classes.figure}>
        {friends.following.toLocaleString("ja-JP")}
        <small>人</small>
      </p>
      <p className={classes.explain}>
        ブロック {friends.blocked.toLocaleString("ja-JP")}人
        {friends.blocked > 0 && "（送ったメッセージは届きません）"}
      </p>
    </section>
  );
}
