import type { JSX } from "preact";
import { formatWithWeekday } from "../../../../kit/dates";
import { Screen } from "../../../../kit/screen";
import { BackToList } from "../../back-to-list";
import { useSession } from "../../session";
import { BodyText } from "../../text/body-text";
import { newest } from "../answers/marks";
import type { ThreadDetail } from "../shapes";
import { AnswerSection } from "./answer-section";
import { Closed } from "./closed";
import { Decided } from "./decided";
import { OthersFold } from "./others-fold";

interface ViewProps {
  thread: ThreadDetail;
  reload: () => void;
}

export function ThreadView({ thread, reload }: ViewProps): JSX.Element {
  const { threadAnswers } = useSession();
  const recorded = newest(thread, threadAnswers.recorded(thread.id));
  return (
    <Screen title={thread.title} back={<BackToList />}>
      {thread.status === "cancelled" && <Cancelled reason={thread.cancel_reason} />}
      {thread.status === "finalized" && <Decided thread={thread} reload={reload} />}
      <Facts thread={thread} />
      {thread.description && <BodyText text={thread.description} />}
      {thread.can_answer ? (
        <AnswerSection thread={thread} recorded={recorded} reload={reload} />
      ) : (
        <Closed thread={thread} recorded={recorded} />
      )}
      <OthersFold slots={thread.slots} />
      {isAbroad() && <p class="note abroad">時刻は、すべて日本時間です。</p>}
    </Screen>
  );
}

function Facts({ thread }: { thread: ThreadDetail }): JSX.Element {
  const facts = [
    ["主催", thread.organizer_name],
    ["場所", thread.place],
    ["回答期限", thread.can_answer ? formatWithWeekday(thread.deadline_at) : null],
  ] as const;
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Cancelled({ reason }: { reason: string | null }): JSX.Element {
  return (
    <div class="say say-bad">
      <p class="say-title">この日程調整は中止になりました</p>
      {reason && <p class="kept-lines">{reason}</p>}
      <p>回答は必要ありません。</p>
    </div>
  );
}

const JAPAN_OFFSET_MINUTES = -540;

/** Whether this phone's clock shows another time than Japan's. */
function isAbroad(): boolean {
  return new Date().getTimezoneOffset() !== JAPAN_OFFSET_MINUTES;
}
