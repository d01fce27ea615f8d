import type { JSX } from "preact";
import { Link } from "../../../kit/router";
import type { Reservation } from "../api/shapes";
import { useSession } from "../session/session";
import { noticeText } from "./notice-words";

/** How the person hears about this reservation. Who has not linked LINE is shown the way. */
export function NoticeLine({ reservation }: { reservation: Reservation }): JSX.Element | null {
  const { profile } = useSession();
  const text = noticeText(reservation, profile.lineLinked);
  const unlinked = !profile.lineLinked && !text;
  if (!text && !unlinked) return null;
  return (
    <p class="note notice-line">
      {unlinked ? (
        <>
          LINE未連携のため、通知はありません。
          <Link to="/profile">連携する</Link>
        </>
      ) : (
        text
      )}
    </p>
  );
}
