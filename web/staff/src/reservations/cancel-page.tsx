import type { JSX } from "preact";
import { BackLink } from "../../../kit/back-link";
import { navigate, type Params } from "../../../kit/router";
import { StaffError } from "../frame/states";
import { StaffScreen } from "../frame/staff-screen";
import { CancelQuestion } from "./cancel-question";
import { cannotChange } from "./cannot";
import { OneReservation } from "./one-reservation";

/** The question by itself, for the button of a message. */
export function CancelPage({ params }: { params: Params }): JSX.Element {
  const path = `/reservations/${params["id"]}`;
  const back = <BackLink to={path}>予約の内容へ</BackLink>;
  return (
    <OneReservation id={params["id"]} back={back}>
      {(reservation, reload, news) => {
        const words = cannotChange(reservation, "取り消し");
        if (words) return <StaffError error={null} words={words} back={back} />;
        return (
          <StaffScreen title="この予約を取り消しますか？" back={back}>
            {news}
            <CancelQuestion
              reservation={reservation}
              onKeep={() => navigate(path, { replace: true })}
              onDone={() => navigate(path, { replace: true, notice: "予約を取り消しました。" })}
              onRefused={reload}
            />
          </StaffScreen>
        );
      }}
    </OneReservation>
  );
}
