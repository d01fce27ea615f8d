import type { JSX } from "preact";
import { ApiError } from "../../../api/errors";
import { isInLine } from "../../../kit/in-line";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { useSession } from "../session/session";

/** Notices by LINE: offered where the page is opened inside LINE, because only there LINE says whose account it is. */
export function LineLink(): JSX.Element | null {
  const { api, profile, changed } = useSession();
  const { state, run } = useAction();
  const lacksLine = state.kind === "failed" && state.error instanceof ApiError && state.error.status === 401;
  if (!profile.lineLinked && !isInLine()) return null;
  const toggle = () =>
    run(async () => {
      await (profile.lineLinked ? api.unlinkLine() : api.linkLine());
      changed({ ...profile, lineLinked: !profile.lineLinked });
    });
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
