import { useMemo, useRef, useState } from "react";
import { queryClient } from "../../api/queries";
import type { ConnectionPhase, LiveHandlers } from "../../live/connection";
import { atMostEvery } from "../../live/throttle";
import { useLive } from "../../live/useLive";
import type { EventDetail } from "../event";
import { eventKey, nowKey } from "../queries";
import { INITIAL_STATE, type LiveAction, type LiveState, liveReducer, needsReload, newAnswers } from "./state";
import { type LiveUpdate, parseUpdate } from "./update";

const DELIVERIES_MS = 2_000;
// As long as the style sheet takes to fade the highlight of a new answer.
const HIGHLIGHT_MS = 6_000;

/** Follows an event's answers while `wanted` and while the page is visible. */
export function useLiveEvent(eventId: number, wanted: boolean): LiveState & { phase: ConnectionPhase } {
  const [shown, show] = useState(INITIAL_STATE);
  // Several updates may come before the page is rendered again, and each builds on the one before.
  const state = useRef(INITIAL_STATE);
  const handlers = useMemo(() => {
    const apply = (action: LiveAction) => {
      state.current = liveReducer(state.current, action);
      show(state.current);
    };
    return eventHandlers(eventId, () => state.current, apply);
  }, [eventId]);
  const phase = useLive(wanted ? `/api/admin/events/${eventId}/live` : null, handlers);
  return { ...shown, phase };
}

function eventHandlers(eventId: number, state: () => LiveState, apply: (action: LiveAction) => void): LiveHandlers<LiveUpdate> {
  const fading = new Set<ReturnType<typeof setTimeout>>();
  const deliveries = atMostEvery(DELIVERIES_MS, () => {
    void queryClient.invalidateQueries({ queryKey: [...eventKey(eventId), "deliveries"] });
  });

  return {
    names: ["answers"],
    parse: parseUpdate,
    update: (update, requestReload) => {
      const members = newAnswers(state().answers, update.answers).map((answer) => answer.member_id);
      apply({ type: "updated", update });
      if (members.length > 0) fading.add(setTimeout(() => apply({ type: "faded", members }), HIGHLIGHT_MS));
      // An update without answers is about something else: a message was decided, or the sending went on.
      if (update.answers.length === 0) deliveries.request();
      const loaded = queryClient.getQueryData<EventDetail>(nowKey(eventId));
      if (loaded && needsReload(loaded, state().answers, update)) requestReload();
    },
    reload: async () => {
      const before = state().answers;
      await queryClient.refetchQueries({ queryKey: nowKey(eventId), exact: true }, { throwOnError: true });
      apply({ type: "reloaded", before });
    },
    lost: () => apply({ type: "lost" }),
    stopped: () => {
      deliveries.stop();
      for (const timer of fading) clearTimeout(timer);
      fading.clear();
      apply({ type: "faded", members: [...state().highlighted] });
    },
  };
}
