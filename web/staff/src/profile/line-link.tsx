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
      changed({ ...profile, lineLinked: !profile.lineLinked });
    });
  if (!profile.lineLinked && !isInLine()) return <FromOutside />;
  return (
    <section aria-labelledby="line">
      <h2 id="line" class="past-heading">
        LINEでのお知らせ
      </h2>
      <p>{profile.lineLinked ? "予約の確定や変更を、LINEでお知らせしています。" : "予約の確定や変更を、このLINEアカウントにお知らせできます。"}</p>
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
