import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { ApiError } from "../../../../api/errors";
import type { Params } from "../../../../kit/router";
import { leadIfNotRegistered, useMemberLoad } from "../../load";
import { Loading } from "../../screens/loading";
import { MemberError } from "../../screens/member-error";
import { useSession } from "../../session";
import { useSender } from "../../answers/use-sender";
import { UnsentEvents } from "../answers/unsent-events";
import { eventErrorWords } from "./error-words";
import { EventView } from "./event-view";
import { useReloadAfterDay } from "./use-reload-after-day";

const NO_SUCH_EVENT = new ApiError(404, "NOT_FOUND", "", [], null, null);

export function Detail({ params }: { params: Params }): JSX.Element {
  const { adapter } = useSession();
  // A mistyped address needs no request to the server.
  if (!/^\d{1,15}$/.test(params["id"] ?? "")) {
    return <MemberError error={NO_SUCH_EVENT} words={eventErrorWords(NO_SUCH_EVENT)} adapter={adapter} retry={() => {}} />;
  }
  return <EventDetailScreen eventId={Number(params["id"])} />;
}

function EventDetailScreen({ eventId }: { eventId: number }): JSX.Element {
  const { client, adapter, answers } = useSession();
  const sendState = useSender(answers).sendState(eventId);
  const [state, reload] = useMemberLoad(() => client.get("/api/liff/events/{event_id}", { event_id: eventId }));
  useReloadAfterDay(state.kind === "ready" ? state.value : null, reload);
  const refusal = sendState.kind === "refused" ? sendState.error : null;
  useEffect(() => {
    // The event has changed since it was drawn: what it says now explains the refusal best.
    if (refusal !== null && !leadIfNotRegistered(refusal)) reload();
  }, [refusal]);

  if (state.kind === "loading") return <Loading />;
  if (state.kind === "ready") return <EventView event={state.value} />;
  return (
    <MemberError error={state.error} words={eventErrorWords(state.error)} adapter={adapter} retry={reload} belowList>
      <UnsentEvents />
    </MemberError>
  );
}
