import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { ApiError } from "../../../../api/errors";
import type { Params } from "../../../../kit/router";
import { useSender } from "../../answers/use-sender";
import { leadIfNotRegistered, useMemberLoad } from "../../load";
import { Loading } from "../../screens/loading";
import { MemberError } from "../../screens/member-error";
import { useSession } from "../../session";
import { useReloadAt } from "../../use-reload-at";
import { UnsentThreads } from "../answers/unsent-threads";
import { threadErrorWords } from "./error-words";
import { ThreadView } from "./thread-view";

const NO_SUCH_THREAD = new ApiError(404, "THREAD_NOT_FOUND", "", [], null, null);

export function ThreadScreen({ params }: { params: Params }): JSX.Element {
  const { adapter } = useSession();
  const id = params["id"] ?? "";
  // A mistyped address needs no request to the server.
  if (!/^[\w-]{1,100}$/.test(id)) {
    return <MemberError error={NO_SUCH_THREAD} words={threadErrorWords(NO_SUCH_THREAD)} adapter={adapter} retry={() => {}} />;
  }
  return <LoadedThread threadId={id} />;
}

function LoadedThread({ threadId }: { threadId: string }): JSX.Element {
  const { client, adapter, threadAnswers } = useSession();
  const sendState = useSender(threadAnswers).sendState(threadId);
  const [state, reload] = useMemberLoad(() => client.get("/api/liff/threads/{thread_id}", { thread_id: threadId }));
  const thread = state.kind === "ready" ? state.value : null;
  useReloadAt(thread?.can_answer ? Date.parse(thread.deadline_at) : null, thread, reload);
  const refusal = sendState.kind === "refused" ? sendState.error : null;
  useEffect(() => {
    // The thread has changed since it was drawn: what it says now explains the refusal best.
    if (refusal !== null && !leadIfNotRegistered(refusal)) reload();
  }, [refusal]);

  if (state.kind === "loading") return <Loading />;
  if (state.kind === "ready") return <ThreadView thread={state.value} reload={reload} />;
  return (
    <MemberError error={state.error} words={threadErrorWords(state.error)} adapter={adapter} retry={reload} belowList>
      <UnsentThreads />
    </MemberError>
  );
}
