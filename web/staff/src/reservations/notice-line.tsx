import type { JSX } from "preact";
import { useLoad } from "../../../kit/load";
import { Link } from "../../../kit/router";
import { useSession } from "../session/session";
import { noticeText } from "./notice-words";

/** How the person hears about this reservation. Who has not linked LINE is shown the way. */
export function NoticeLine({ id }: { id: number }): JSX.Element | null {
  const { api, profile } = useSession();
  const [state] = useLoad(() => api.notice(id));
  // Less important than everything around it: without an answer it is left out.
  if (state.kind !== "ready") return null;
  const text = noticeText(state.value);
  if (text) return <p class="note notice-line">{text}</p>;
  if (profile.lineState === "reachable") return null;
  return (
    <p class="note notice-line">
      {profile.lineLinked ? "公式アカウントが友だちに追加されていないため、LINEの通知は見られません。" : "LINE未連携のため、通知はありません。"}
      <Link to="/profile">{profile.lineLinked ? "追加する" : "連携する"}</Link>
    </p>
  );
}
