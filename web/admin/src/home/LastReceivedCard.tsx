import { Moment } from "../frame/Moment";
import classes from "./HomePage.module.css";

export function LastReceivedCard({ at }: { at: string | null }) {
  return (
    <section className={classes.card} aria-labelledby="home-last">
      <h2 id="home-last">最後の受信</h2>
      <p className={classes.moment}>{at === null ? "まだありません" : <Moment at={at} />}</p>
      <p className={classes.explain}>友だちの追加やブロックの知らせを、LINEから最後に受け取った時刻です。</p>
    </section>
  );
}
