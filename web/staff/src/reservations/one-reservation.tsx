import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { BackLink } from "../../../kit/back-link";
import { useLoad } from "../../../kit/load";
import type { Reservation } from "../api/shapes";
import { StaffError, StaffLoading } from "../frame/states";
import { Outdated } from "../parts/outdated";
import { useSession } from "../session/session";
import { movedSince } from "./since-message";

interface OneReservationProps {
  id: string | undefined;
  back: ComponentChildren;
  /** Draws the screen. `news` goes above everything else: that it may be old, or has moved since a message. */
  children: (reservation: Reservation, reload: () => void, news: ComponentChildren) => JSX.Element;
}

/** A screen about one of the person's own reservations. */
export function OneReservation({ id, back, children }: OneReservationProps): JSX.Element {
  const { api } = useSession();
  const [state, reload] = useLoad(async () => (await api.reservations()).find((one) => String(one.id) === id) ?? null);
  // The browser may show the page as it was left for Stripe's, with whatever was known then.
  useEffect(() => {
    const restored = ({ persisted }: PageTransitionEvent) => persisted && reload();
    addEventListener("pageshow", restored);
    return () => removeEventListener("pageshow", restored);
  }, []);
  if (state.kind === "loading") return <StaffLoading back={back} />;
  if (state.kind === "failed") return <StaffError error={state.error} retry={reload} back={back} />;
  if (state.value === null) return <NoReservation />;
  const moved = state.value.canceledAt === null && movedSince(location.search, state.value.revision);
  return children(
    state.value,
    reload,
    <>
      {state.old && <Outdated text="新しい内容を受け取れませんでした。前に見たときの内容です。" retry={reload} />}
      {moved && <p class="say say-warn">このお知らせのあとに、日時が変更されています。下の日時が、いまの予約です。</p>}
    </>,
  );
}

/** A button of a message may have been tapped on a device on which somebody else is logged in. */
function NoReservation(): JSX.Element {
  const { profile, changePerson } = useSession();
  const words = {
    title: "予約が見つかりません",
    text: `番号がまちがっているか、ほかの方の予約です。いまは、${profile.fullName}さんとしてログインしています。`,
  };
  return (
    <StaffError error={null} words={words} back={<BackLink to="/reservations">予約の確認へ</BackLink>}>
      <button type="button" class="button button-quiet" onClick={changePerson}>
        ほかの職員番号でログインする
      </button>
    </StaffError>
  );
}
