import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useSession } from "../../session";
import { openSlots } from "../answers/marks";
import type { GivenAnswer, ThreadDetail } from "../shapes";
import { AnswerForm } from "./answer-form";
import { RecordedCard } from "./recorded";

interface SectionProps {
  thread: ThreadDetail;
  recorded: GivenAnswer;
  reload: () => void;
}

/** What is on record, or the form: for the first answer, for a change, and for slots that were added later. */
export function AnswerSection({ thread, recorded, reload }: SectionProps): JSX.Element {
  const { kind } = useSession().threadAnswers.sendState(thread.id);
  const [changing, setChanging] = useState(false);
  const [fresh, setFresh] = useState(false);
  useNews(recorded.responded_at, () => {
    setChanging(false);
    setFresh(true);
    // The answer may have decided the date, and others may have answered since.
    reload();
  });
  const answered = recorded.status !== "pending";
  const hasNewSlots = answered && recorded === thread.selection && openSlots(thread).some(({ answer }) => answer === null);
  if (answered && !changing && !hasNewSlots && kind === "idle") {
    return <RecordedCard thread={thread} recorded={recorded} fresh={fresh} onChange={() => setChanging(true)} />;
  }
  return (
    <AnswerForm
      thread={thread}
      recorded={recorded}
      hasNewSlots={hasNewSlots}
      onLeave={answered && !hasNewSlots ? () => setChanging(false) : null}
    />
  );
}

/** Calls back when the value changes, not at first. */
function useNews(value: unknown, then: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    then();
  }, [value]);
}
