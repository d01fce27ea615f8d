import type { JSX } from "preact";
import { Said } from "../../../../kit/ask-office";
import { ToList } from "../../screens/member-error";
import { useSession } from "../../session";
import type { GivenAnswer, ThreadDetail } from "../shapes";
import { Contact } from "./contact";
import { RecordedMarks } from "./recorded";
import { refusalWords } from "./words";

interface ClosedProps {
  thread: ThreadDetail;
  recorded: GivenAnswer;
}

/** A thread that takes no answers any more still shows what was recorded. */
export function Closed({ thread, recorded }: ClosedProps): JSX.Element {
  const sendState = useSession().threadAnswers.sendState(thread.id);
  return (
    <section class="answer" aria-label="あなたの回答">
      {thread.why_not === "EXPIRED" && (
        <div class="say say-warn">
          <p class="say-title">回答の受付は終わりました</p>
          <p>
            <Said text={recorded.status === "pending" ? "回答したいときは、主催者にご連絡ください。" : "日程が決まると、お知らせが届きます。"} />
          </p>
          <Contact thread={thread} />
        </div>
      )}
      <div class="card">
        <h2>あなたの回答</h2>
        {recorded.status === "pending" ? <p role="status">回答の記録はありません。</p> : <RecordedMarks thread={thread} recorded={recorded} />}
      </div>
      <div role="alert">{sendState.kind === "refused" && <p class="say say-bad"><Said text={refusalWords(sendState.error)} /></p>}</div>
      {sendState.kind === "refused" && (
        <div class="actions">
          <ToList />
        </div>
      )}
    </section>
  );
}
