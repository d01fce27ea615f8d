import type { JSX } from "preact";
import { Link } from "../router";
import { Screen } from "./screen";

export function NotFound(): JSX.Element {
  return (
    <Screen title="ページが見つかりません">
      <p>リンクが古くなっているか、まちがっているようです。</p>
      <div class="actions">
        <Link to="/events" class="button">
          一覧を見る
        </Link>
      </div>
    </Screen>
  );
}
