import type { JSX } from "preact";
import { ApiClient } from "../../kit/client";
import { LineDoor } from "../../kit/line-door";
import { useLoad } from "../../kit/load";
import { Screen } from "../../kit/screen";

const openly = new ApiClient();

/** In an ordinary browser, where LINE says nothing about the person: how to open it in LINE, and how to go on here. */
export function DoorOutside(): JSX.Element {
  const [state] = useLoad(() => openly.get("/api/staff-door"));
  return (
    <Screen title="スマートフォンのLINEで開きます">
      <p>職員の予約のお知らせをLINEで受け取るには、このページをスマートフォンのLINEで開いてください。</p>
      {state.kind === "ready" && <LineDoor door={state.value} />}
      <p class="note">予約するだけなら、このままブラウザでも使えます。</p>
      <div class="actions">
        <a class="button button-quiet" href="/staff/">
          このままブラウザで使う
        </a>
      </div>
    </Screen>
  );
}
