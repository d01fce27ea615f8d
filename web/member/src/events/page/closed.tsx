import type { JSX } from "preact";
import { Said } from "../../../../kit/ask-office";
import { ToList } from "../../screens/member-error";
import { useSession } from "../../session";
import type { EventDetail } from "../shapes";
import type { RecordedAnswer } from "./use-recorded";
import { recordedWords, refusalWords } from "./words";

/** An event that takes no answers any more still shows what was recorded. */
export function Closed({ event, recorded }: { event: EventDetail; recorded: RecordedAnswer }): JSX.Element {
  const sendState = useSession().answers.sendState(event.id);
  const answered = recorded.status !== "pending";
  return (
    <section class="answer" aria-label="出欠の回答">
      <div class="card">
        {!event.cancelled && <p class="say-title">このイベントは終わりました</p>}
        <p role="status" class={answered ? "standing standing-done" : ""}>
          {answered ? recordedWords(recorded) : "回答の記録はありません。"}
        </p>
        {recorded.memo && (
          <p class="note">
            {event.extra_text.label || "備考"}：{recorded.memo}
          </p>
        )}
      </div>
      <div role="alert">
        {sendState.kind === "refused" && <p class="say say-bad"><Said text={refusalWords(sendState.error)} /></p>}
      </div>
      {sendState.kind === "refused" && (
        <div class="actions">
          <ToList />
        </div>
      )}
    </section>
  );
}
