import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useSession } from "../../session";
import { tidyLine } from "../../text/one-line";
import { answerOf, countOpen, marksOf, marksOnTheWay, openSlots } from "../answers/marks";
import { sameAnswer } from "../answers/thread-answers";
import type { GivenAnswer, ThreadDetail } from "../shapes";
import { CommentField } from "./comment-field";
import { OneSlot } from "./one-slot";
import { SendDock } from "./send-dock";
import { SlotMarks } from "./slot-marks";

interface FormProps {
  thread: ThreadDetail;
  recorded: GivenAnswer;
  hasNewSlots: boolean;
  /** Goes back to what is on record; null where nothing is, or where it does not say enough. */
  onLeave: (() => void) | null;
}

const NOTHING_CHOSEN = "参加できる候補日に ○ を付けてください。どの日も難しいときは「どの日も参加できない」を押してください。";

export function AnswerForm({ thread, recorded, hasNewSlots, onLeave }: FormProps): JSX.Element {
  const { threadAnswers } = useSession();
  const sendState = threadAnswers.sendState(thread.id);
  const underWay = sendState.kind === "sending" || sendState.kind === "waiting" ? sendState.answer : null;
  const slots = openSlots(thread);
  const [marks, setMarks] = useState(() => (underWay ? marksOnTheWay(slots, underWay) : marksOf(thread, recorded)));
  const [comment, setComment] = useState((underWay ?? recorded).comment ?? "");
  const [trouble, setTrouble] = useState("");
  // The slots without a mark become ×. That is asked once, because they may not have been seen.
  const [asking, setAsking] = useState(false);
  const [asked, setAsked] = useState(false);
  const openCount = countOpen(slots, marks);

  const choose = (next: typeof marks) => {
    setTrouble("");
    setAsking(false);
    threadAnswers.acknowledge(thread.id);
    setMarks(next);
  };
  const send = (confirmed = false) => {
    // Only the button of the question answers it: a second tap on the same place does not.
    if (asking && !confirmed) return;
    if (openCount === slots.length) return setTrouble(NOTHING_CHOSEN);
    if (openCount > 0 && !asked && !confirmed) {
      setAsked(true);
      return setAsking(true);
    }
    setAsking(false);
    const answer = answerOf(slots, marks, tidyLine(comment));
    // Asked anew, because a second tap may come before this component is drawn again.
    const now = threadAnswers.sendState(thread.id);
    if ((now.kind === "sending" || now.kind === "waiting") && sameAnswer(now.answer, answer)) return threadAnswers.retryNow();
    const known = answerOf(slots, marksOf(thread, recorded), recorded.comment ?? "");
    // The same answer again would say nothing new.
    if (onLeave && now.kind === "idle" && sameAnswer(known, answer)) return onLeave();
    threadAnswers.submit(thread.id, answer);
  };

  const Choices = thread.multiple_slots_allowed ? SlotMarks : OneSlot;
  return (
    <form
      class="answer"
      aria-label="日程の回答"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {hasNewSlots && <p class="say say-warn">候補日が増えました。新しい候補日にも、お答えください。</p>}
      <Choices thread={thread} slots={slots} marks={marks} onChoose={choose} />
      <CommentField value={comment} onInput={setComment} />
      <SendDock
        notSeen={asking ? openCount : 0}
        onConfirm={() => send(true)}
        onLook={() => {
          setAsking(false);
          lookAt(slots.find(({ slot_id }) => marks[slot_id] === undefined)?.slot_id);
        }}
        sendState={sendState} openCount={openCount} slotCount={slots.length} trouble={trouble} onLeave={underWay ? null : onLeave}
      />
    </form>
  );
}

/** Brings the eyes and the keyboard to the first slot without a mark. */
function lookAt(slotId: string | undefined): void {
  const first = slotId === undefined ? null : document.querySelector<HTMLInputElement>(`input[name="slot-${CSS.escape(slotId)}"]`);
  first?.focus({ preventScroll: true });
  first?.scrollIntoView({ block: "center" });
}
