import type { JSX } from "preact";
import { type Route, Router } from "../../kit/router";
import { StaffError } from "./frame/states";
import { lazyScreen } from "./lazy-screen";
import { CalendarPage } from "./reservations/calendar-page";
import { CancelPage } from "./reservations/cancel-page";
import { ProfilePage } from "./profile/profile-page";
import { MovePage } from "./reservations/move-page";
import { MyReservations } from "./reservations/my-reservations";
import { ReservationPage } from "./reservations/reservation-page";
import { IdleDialog } from "./session/idle-dialog";
import type { Marks } from "./session/marks";
import { SessionProvider } from "./session/session";
import type { Stage } from "./session/stage";
import { useIdle } from "./session/use-idle";
import { LEFT_ALONE, type Portal } from "./session/use-portal";
import { Slots } from "./slots/slots";

const Complete = lazyScreen(async () => (await import("./profile/complete")).Complete);
const EditPage = lazyScreen(async () => (await import("./profile/edit-page")).EditPage);
const PinPage = lazyScreen(async () => (await import("./profile/pin-page")).PinPage);

const Start = (): JSX.Element => <Slots title="予約する" />;

const NotFound = (): JSX.Element => (
  <StaffError error={null} words={{ title: "ページが見つかりません", text: "リンクが古くなっているか、まちがっているようです。" }} />
);

const ROUTES: Route[] = [
  { path: "/", screen: Start },
  { path: "/register", screen: Start },
  { path: "/reservations", screen: MyReservations },
  { path: "/reservations/:id", screen: ReservationPage },
  { path: "/reservations/:id/move", screen: MovePage },
  { path: "/reservations/:id/cancel", screen: CancelPage },
  { path: "/reservations/:id/calendar", screen: CalendarPage },
  { path: "/profile", screen: ProfilePage },
  { path: "/profile/edit", screen: EditPage },
  { path: "/profile/pin", screen: PinPage },
];

interface InsideProps {
  portal: Portal;
  stage: Extract<Stage, { kind: "ready" }>;
  marks: Marks;
}

/** Behind the log-in: the screens, the form for what is missing, and the dialog before the automatic log-out. */
export function Inside({ portal, stage, marks }: InsideProps): JSX.Element {
  const { api, postponed, postpone, profileChanged, logOut, changePerson } = portal;
  const watched = marks.session()?.own !== true;
  const idle = useIdle(marks, watched, () => logOut(LEFT_ALONE));
  const session = {
    api,
    profile: stage.profile,
    changed: profileChanged,
    askForMissing: () => postpone(false),
    logOut: () => logOut(),
    changePerson,
  };
  const asks = stage.profile.missing.length > 0 && !postponed;
  return (
    <SessionProvider value={session}>
      {asks ? <Complete pin={stage.pin} onLater={() => postpone(true)} /> : <Router routes={ROUTES} notFound={NotFound} />}
      {idle.kind === "warning" && <IdleDialog secondsLeft={idle.secondsLeft} onContinue={() => marks.touch()} onLogOut={() => logOut()} />}
    </SessionProvider>
  );
}
