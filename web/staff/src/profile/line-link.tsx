import type { JSX } from "preact";
import { ApiError } from "../../../api/errors";
import { isInLine } from "../../../kit/in-line";
import { LineDoor } from "../../../kit/line-door";
import { useLoad } from "../../../kit/load";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { useSession } from "../session/session";

/** Notices by LINE. Only inside LINE does LINE say whose account it is, so elsewhere the way there is shown. */
export function LineLink(): JSX.Element {
  const { api, profile, changed } = useSession();
  const { state, run } = useAction();
  const lacksLine = state.kind === "failed" && state.error instanceof ApiError && state.error.status === 401;
  const toggle = () =>
    run(async () => {
      await (profile.lineLinked ? api.unlinkLine() : api.linkLine());
      // Whether LINE reaches the person now, only the server knows.
      changed(await api.me());
    });
  if (!profile.lineLinked && !isInLine()) return <FromOutside />;
  return (
    <section aria-labelledby="line">
      <h2 id="line" class="past-heading">
        LINEでのお知らせ
      </h2>
      {profile.lineState === "notAdded" || profile.lineState === "blocked" ? (
        <AddFriend blocked={profile.lineState === "blocked"} url={profile.addFriendUrl ?? null} again={() => run(async () => changed(await api.me()))} />
      ) : (
        <p>{profile.lineLinked ? "予約の確定や変更を、LINEでお知らせしています。" : "予約の確定や変更を、このLINEアカウントにお知らせできます。"}</p>
      )}
      {lacksLine && (
        <div class="say say-warn" role="alert">
          <p>はじめに、LINEの確認が必要です。確認のあと、この画面に戻ったら、もう一度押してください。</p>
          <a class="button button-small" href="/liff/staff">
            LINEの確認をする
          </a>
        </div>
      )}
      <ActionTrouble state={state} hidden={lacksLine} />
      <div class="actions">
        <button type="button" class="button button-quiet" aria-disabled={state.kind === "sending"} onClick={toggle}>
          {profile.lineLinked ? "LINEでのお知らせをやめる" : "LINEで通知を受け取る"}
        </button>
      </div>
    </section>
  );
}

/** LINE takes messages to somebody who is no friend of the account, and shows them to nobody. */
function AddFriend({ blocked, url, again }: { blocked: boolean; url: string | null; again: () => void }): JSX.Element {
  return (
    <div class="say say-warn" role="alert">
      <p>
        {blocked
          ? "LINEと連携していますが、公式アカウントがブロックされているため、お知らせは届きません。ブロックを解除してください。"
          : "LINEと連携していますが、公式アカウントが友だちに追加されていないため、お知らせはまだ届きません。友だちに追加してください。"}
      </p>
      {!blocked && <p>前から友だちに追加していた方は、公式アカウントを一度ブロックして、すぐに解除すると、届くようになります。</p>}
      <div class="actions">
        {url !== null && (
          <a class="button button-small" href={url}>
            公式アカウントを開く
          </a>
        )}
        <button type="button" class="button button-small button-quiet" onClick={again}>
          追加しました
        </button>
      </div>
    </div>
  );
}

/** Only a page inside LINE knows the person's LINE account: the four steps lead there. */
function FromOutside(): JSX.Element {
  const { api } = useSession();
  const [state] = useLoad(api.door);
  return (
    <section aria-labelledby="line">
      <h2 id="line" class="past-heading">
        LINEでのお知らせ
      </h2>
      <p>予約の確定・変更・リマインドを、LINEでお知らせできます。いまは連携していません。</p>
      {state.kind === "ready" && state.value.liffUrl === null ? (
        <p class="note">この施設では、LINEでのお知らせを使っていません。</p>
      ) : (
        <>
          <ol class="steps">
            <li>スマートフォンのLINEで、公式アカウントを友だちに追加します。</li>
            <li>
              トークの下のメニューの<b>「職員予約」</b>を開きます。{state.kind === "ready" && "下のQRコードやボタンからも開けます。"}
            </li>
            <li>職員番号と暗証番号（PIN）でログインします。</li>
            <li>
              「わたし」の<b>「LINEで通知を受け取る」</b>を押します。
            </li>
          </ol>
          {state.kind === "ready" && <LineDoor door={state.value} />}
        </>
      )}
    </section>
  );
}
