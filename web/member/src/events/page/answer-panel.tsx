import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { memoFor, showsMemo } from "../answers/memo";
import type { EventSendState } from "../answers/event-answers";
import { useSession } from "../../session";
import { type EventDetail, type Status, STATUS_NAMES } from "../shapes";
import { MemoField } from "./memo-field";
import type { RecordedAnswer } from "./use-recorded";
import { lineFor, recordedWords } from "./words";

interface PanelProps {
  event: EventDetail;
  recorded: RecordedAnswer;
}

export function AnswerPanel({ event, recorded }: PanelProps): JSX.Element {
  const { answers } = useSession();
  const sendState = answers.sendState(event.id);
  const underWay = sendState.kind === "sending" || sendState.kind === "waiting" ? sendState.answer : null;
  const [memo, setMemo] = useState(underWay?.extra_text ?? recorded.memo);
  const chosen = underWay?.status ?? recorded.status;
  const memoPlace = useMemoInView(showsMemo(event.extra_text, chosen), chosen);

  const answer = (status: Status) => {
    const text = memoFor(event.extra_text, status, memo);
    // The same answer again would only add a row that says nothing new.
    const known = underWay ?? { status: recorded.status, extra_text: recorded.memo || null };
    if (known.status !== status || known.extra_text !== text) return answers.submit(event.id, { status, extra_text: text });
    answers.acknowledge(event.id);
    answers.retryNow();
  };

  return (
    <section class="answer" aria-label="出欠の回答">
      <div class="dock">
        <StatusLine sendState={sendState} recorded={recorded} />
        <div class="choices">
          <Choice status="attend" chosen={chosen} sure={!underWay} onChoose={answer} />
          <Choice status="absent" chosen={chosen} sure={!underWay} onChoose={answer} />
        </div>
      </div>
      <Meanwhile sendState={sendState} recorded={recorded} onRetry={() => answers.retryNow()} />
      {showsMemo(event.extra_text, chosen) && (
        <div ref={memoPlace}>
          <MemoField
            label={event.extra_text.label || "備考"}
            value={memo}
            onInput={setMemo}
            sent={underWay ? (underWay.extra_text ?? "") : recorded.memo}
            onSend={chosen === "pending" ? null : () => answer(chosen)}
          />
        </div>
      )}
      <p class="note">{event.my_name}さんとして回答します。回答は何度でも変えられ、最後のものが記録されます。</p>
    </section>
  );
}

function StatusLine({ sendState, recorded }: { sendState: EventSendState; recorded: RecordedAnswer }): JSX.Element {
  const { tone, text } = lineFor(sendState, recorded);
  return (
    <p class={`standing standing-${tone}`} role="status">
      {text}
    </p>
  );
}

interface ChoiceProps {
  status: Status;
  chosen: Status | "pending";
  /** False while the choice is still on its way. */
  sure: boolean;
  onChoose: (status: Status) => void;
}

function Choice({ status, chosen, sure, onChoose }: ChoiceProps): JSX.Element {
  const on = chosen === status;
  return (
    <button
      type="button"
      class={`choice choice-${status} ${on ? (sure ? "choice-on" : "choice-going") : ""}`}
      aria-pressed={on && sure}
      onClick={() => onChoose(status)}
    >
      {on && sure && (
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
          <path d="M5 12.5l4.5 4.5L19 7.5" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
      )}
      {STATUS_NAMES[status]}
    </button>
  );
}

/** While the server has not confirmed: what it has on record until then, and that nothing is lost. */
function Meanwhile({ sendState, recorded, onRetry }: { sendState: EventSendState; recorded: RecordedAnswer; onRetry: () => void }): JSX.Element | null {
  if (sendState.kind === "idle" || sendState.kind === "sending") return null;
  return (
    <div class="meanwhile">
      <p>いま記録されている回答：{recorded.status === "pending" ? "なし" : recordedWords(recorded)}</p>
      {sendState.kind === "waiting" && (
        <>
          <p>
            {sendState.kept
              ? "この画面を閉じても回答は消えません。次に開いたときに送ります。"
              : "送り終わるまで、この画面を閉じないでください。"}
          </p>
          <button type="button" class="button button-quiet" onClick={onRetry}>
            いま送り直す
          </button>
        </>
      )}
    </div>
  );
}

/** Having answered, people should see that they may add a word: the field may stand below the edge of the screen. */
function useMemoInView(shown: boolean, chosen: Status | "pending") {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    if (!shown) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    place.current?.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
  }, [chosen, shown]);
  return place;
}
