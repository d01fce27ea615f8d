import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useSession } from "../session";
import { CalendarDrawing } from "./drawings";
import { Screen } from "./screen";

export function Home(): JSX.Element {
  const { identity, me } = useSession();
  const name = me.display_name ?? identity.displayName;
  return (
    <Screen title="ホーム" heading={<Greeting name={name} pictureUrl={me.picture_url ?? identity.pictureUrl} />}>
      <p class="lead">ここは、会からのお誘いを見て、出席・欠席を答えるための場所です。</p>
      <section class="card empty" aria-labelledby="events-heading">
        <CalendarDrawing />
        <h2 id="events-heading">いま、ご案内はありません</h2>
        <p>
          行事へのお誘いがあると、LINEでお知らせが届き、ここにも表示されます。
          <br />
          いまは、何もしなくて大丈夫です。
        </p>
      </section>
    </Screen>
  );
}

function Greeting({ name, pictureUrl }: { name: string | null; pictureUrl: string | null }): JSX.Element {
  return (
    <span class="greeting">
      <Portrait url={pictureUrl} name={name} />
      <span>
        {name ? (
          <>
            {name}さん、<span class="hello">こんにちは</span>
          </>
        ) : (
          "こんにちは"
        )}
      </span>
    </span>
  );
}

/** LINE's picture may be missing or gone; the first letter of the name stands in for it. */
function Portrait({ url, name }: { url: string | null; name: string | null }): JSX.Element {
  const [broken, setBroken] = useState(false);
  if (url && !broken) {
    return (
      <img class="portrait" src={url} alt="" width="56" height="56" referrerpolicy="no-referrer" onError={() => setBroken(true)} />
    );
  }
  return (
    <span class="portrait portrait-letter" aria-hidden="true">
      {[...(name?.trim() ?? "")][0] ?? "・"}
    </span>
  );
}
