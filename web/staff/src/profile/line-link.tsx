import type { JSX } from "preact";
import { ApiError } from "../../../api/errors";
import { isInLine } from "../../../kit/in-line";
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

function FromOutside(): JSX.Element {
  return (
    <section aria-labelledby="line">
      <h2 id="line" class="past-heading">
        LINEでのお知らせ
      </h2>
      <p>予約の確定・変更・リマインドを、LINEでお知らせできます。いまは連携していません。</p>
      <p class="note">スマートフォンのLINEで、公式アカウントのメニューからこのページを開き、ログインして「LINEで通知を受け取る」を押してください。</p>
      <div class="actions">
        <a class="button button-quiet" href="/liff/staff">
          LINEで開く
        </a>
      </div>
    </section>
  );
}
