import { useSender } from "../../answers/use-sender";
import { useSession } from "../../session";
import type { AnswerReceipt } from "../answers/event-answers";
import type { EventDetail, Status } from "../shapes";

/** What the server has on record for this person. */
export interface RecordedAnswer {
  status: Status | "pending";
  memo: string;
  respondedAt: string | null;
}

export function useRecorded(event: EventDetail): RecordedAnswer {
  const { answers } = useSession();
  return newest(event, useSender(answers).recorded(event.id));
}

/** The event may have been read before an answer was recorded or after the office changed it: the later one counts. */
export function newest(event: EventDetail, confirmed: AnswerReceipt | null): RecordedAnswer {
  if (confirmed && confirmed.responded_at >= (event.my_responded_at ?? "")) {
    return { status: confirmed.current, memo: confirmed.extra_text ?? "", respondedAt: confirmed.responded_at };
  }
  return { status: event.my_status, memo: event.my_last_extra_text ?? "", respondedAt: event.my_responded_at };
}
