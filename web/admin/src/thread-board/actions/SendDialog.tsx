import { useIdempotencyKeys } from "../../event-detail/actions/useIdempotencyKeys";
import { send } from "../../thread-new/sending";
import { peopleCount } from "../../threads/thread";
import { sendingText } from "../words";
import { Confirmation } from "./Confirmation";
import type { DialogProps } from "./dialog";

/** Sends the invitations of a draft. */
export function SendDialog({ board, done, close }: DialogProps) {
  const keys = useIdempotencyKeys();
  const { id } = board.thread;
  return (
    <Confirmation
      threadId={id}
      order={{ action: "send" }}
      send={(over) => send(id, over, keys.keyFor({ over }))}
      done={({ told }) => done(sendingText(told))}
      back={{ label: "やめる", go: close }}
      confirm={(people) => `${peopleCount(people)}に送る`}
      emptyText="送る相手がいません。先に「人を追加」から選んでください。"
    />
  );
}
