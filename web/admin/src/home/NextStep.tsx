import type { Answer } from "../../../api/shapes";
import classes from "./HomePage.module.css";

/** An empty console says what to do first; once friends are there, it has nothing to add. */
export function NextStep({ overview }: { overview: Answer<"/api/admin/overview"> }) {
  const { friends, line } = overview;
  if (!line.configured || friends.following + friends.blocked > 0) return null;
  return (
    <section className={`${classes.card} ${classes.next}`} aria-labelledby="home-next">
      <h2 id="home-next">はじめに</h2>
      <ol>
        <li>LINE公式アカウントのQRコードやリンクを、会員の方にお知らせください。</li>
        <li>会員の方が友だちに追加すると、数秒で「LINEの友だち」に表示されます。</li>
      </ol>
    </section>
  );
}
