import { useEffect, useRef, useState } from "react";
import { queryClient } from "../../api/queries";
import type { EventDetail } from "../event";
import { eventKey, nowKey } from "../queries";
import type { LiveNews } from "./news";
import { type LiveAction, type LiveState, liveReducer, needsReload, newAnswers, NOTHING_HEARD } from "./state";
import { follow } from "./stream";
import { atMostEvery } from "./throttle";
import { useVisible } from "./useVisible";

const RELOAD_MS = 2_000;
// As long as the style sheet takes to let the light of a new answer go out.
const FRESH_MS = 6_000;
// The server ends each stream after some minutes, and the browser is back within two seconds: nothing to speak of.
const UNNOTICED_MS = 4_000;
// Something between here and the server may hold streams back altogether; then the page asks now and then.
const SILENT_MS = 10_000;
const WITHOUT_STREAM_MS = 30_000;

/** Follows an event's answers while `wanted` and while the page is being looked at. */
export function useLive(eventId: number, wanted: boolean): LiveState {
  const [shown, show] = useState(NOTHING_HEARD);
  // Several pieces of news may come before the page is drawn again, and each builds on the one before.
  const state = useRef(NOTHING_HEARD);
  const on = useVisible() && wanted;
  useEffect(() => {
    const apply = (action: LiveAction) => {
      state.current = liveReducer(state.current, action);
      show(state.current);
    };
    return on ? listen(eventId, () => state.current, apply) : undefined;
  }, [eventId, on]);
  return shown;
}

function listen(eventId: number, state: () => LiveState, apply: (action: LiveAction) => void): () => void {
  const fading = new Set<ReturnType<typeof setTimeout>>();
  let losing: ReturnType<typeof setTimeout> | undefined = setTimeout(lost, SILENT_MS);
  let asking: ReturnType<typeof setInterval> | undefined;

  async function reload(): Promise<void> {
    const before = state().answers;
    await queryClient.refetchQueries({ queryKey: nowKey(eventId), exact: true }, { throwOnError: true });
    apply({ type: "reloaded", before });
  }
  const people = atMostEvery(RELOAD_MS, () => void reload().catch(() => {}));
  const sending = atMostEvery(RELOAD_MS, () => {
    void queryClient.invalidateQueries({ queryKey: [...eventKey(eventId), "deliveries"] });
  });

  function lost(): void {
    apply({ type: "lost" });
    asking ??= setInterval(people.ask, WITHOUT_STREAM_MS);
  }

  function found(): void {
    clearTimeout(losing);
    clearInterval(asking);
    losing = asking = undefined;
  }

  function take(news: LiveNews): void {
    found();
    const told = newAnswers(state().answers, news.answers).map((answer) => answer.member_id);
    apply({ type: "news", news });
    if (told.length > 0) fading.add(setTimeout(() => apply({ type: "faded", members: told }), FRESH_MS));
    // News without answers is about something else: a message was decided, or the sending went on.
    if (news.answers.length === 0) sending.ask();
    const loaded = queryClient.getQueryData<EventDetail>(nowKey(eventId));
    if (loaded && needsReload(loaded, state().answers, news)) people.ask();
  }

  const stop = follow(`/api/admin/events/${eventId}/live`, {
    news: take,
    lost: () => {
      losing ??= setTimeout(lost, UNNOTICED_MS);
    },
    refused: reload,
  });
  return () => {
    stop();
    people.stop();
    sending.stop();
    found();
    for (const timer of fading) clearTimeout(timer);
    apply({ type: "faded", members: [...state().fresh] });
  };
}
