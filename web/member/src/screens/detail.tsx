import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { ApiError } from "../../../api/errors";
import { useSender } from "../answers/use-sender";
import { EventView } from "../event/event-view";
import { isNotRegistered, useLoad } from "../load";
import { leadToRegister } from "../registration";
import type { Params } from "../router";
import { useSession } from "../session";
import { Loading } from "./loading";
import { Problem } from "./problem";
import { Unsent } from "./unsent";

const NO_SUCH = new ApiError(404, "NOT_FOUND", "", [], null, null);

export function Detail({ params }: { params: Params }): JSX.Element {
  const { adapter } = useSession();
  // A mistyped address needs no question to the server.
  if (!/^\d{1,15}$/.test(params["id"] ?? "")) return <Problem error={NO_SUCH} adapter={adapter} retry={() => {}} />;
  return <DetailOf eventId={Number(params["id"])} />;
}

function DetailOf({ eventId }: { eventId: number }): JSX.Element {
  const { client, adapter, answers } = useSession();
  const standing = useSender(answers).standing(eventId);
  const [state, reload] = useLoad(() => client.get("/api/liff/events/{event_id}", { event_id: eventId }));
  const refusal = standing.kind === "refused" ? standing.error : null;
  useEffect(() => {
    if (refusal === null) return;
    // The event has changed since it was drawn: what it says now explains the refusal best.
    if (isNotRegistered(refusal)) leadToRegister();
    else reload();
  }, [refusal]);

  if (state.kind === "loading") return <Loading />;
  if (state.kind === "ready") return <EventView event={state.value} />;
  return (
    <Problem error={state.error} adapter={adapter} retry={reload} below>
      <Unsent />
    </Problem>
  );
}
