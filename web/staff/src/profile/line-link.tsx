import type { JSX } from "preact";
import { ApiError } from "../../../api/errors";
import { ActionTrouble } from "../parts/action-trouble";
import { useAction } from "../parts/use-action";
import { useSession } from "../session/session";
import { isInLine } from "./in-line";

/** Notices by LINE: offered where the page is opened inside LINE, because only there LINE says whose account it is. */
export function LineLink(): JSX.Element | null {
  const { api, profile, changed } = useSession();
  const { state, run } = useAction();
  const lacksLine = state.kind === "failed" && state.error instanceof ApiError && state.error.code === "NO_LIFF_SESSION";
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
      {lacksLine && <p class="say say-warn">LINEの確認ができませんでした。LINEの公式アカウントのメニューから会員ページを一度開いて、もう一度押してください。</p>}
      <ActionTrouble state={state} hidden={lacksLine} />
      <div class="actions">
        <button type="button" class="button button-quiet" aria-disabled={state.kind === "sending"} onClick={toggle}>
          {profile.lineLinked ? "LINEでのお知らせをやめる" : "LINEで通知を受け取る"}
        </button>
      </div>
    </section>
  );
}
