import { useMemo } from "react";
import { queryClient } from "../api/queries";
import type { ConnectionPhase, LiveHandlers } from "../live/connection";
import { useLive } from "../live/useLive";
import { boardKey, threadKey } from "../threads/queries";
import type { Board } from "../threads/thread";
import { waitingCount } from "./words";

/** What each message of the stream says. It changes whenever the board has to be loaded again. */
interface LiveThread {
  revision: number;
  status: string;
  answered: number;
  /** How many messages are in which state. */
  messages: Record<string, number>;
}

function parse(value: unknown): LiveThread | null {
  return typeof (value as LiveThread | null)?.revision === "number" ? (value as LiveThread) : null;
}

function handlersOf(threadId: string): LiveHandlers<LiveThread> {
  const reload = async () => {
    void queryClient.invalidateQueries({ queryKey: [...threadKey(threadId), "history"] });
    await queryClient.refetchQueries({ queryKey: boardKey(threadId), exact: true }, { throwOnError: true });
  };
  let last: string | null = null;
  return {
    names: ["update"],
    parse,
    update: (pulse, requestReload) => {
      const shown = queryClient.getQueryData<Board>(boardKey(threadId));
      const now = JSON.stringify(pulse);
      // The first message may tell of what was sent between the load of the board and the start of the stream.
      const missed = last === null ? waitingCount(shown?.people ?? []) > 0 : now !== last;
      last = now;
      if (shown && (missed || shown.thread.revision !== pulse.revision)) requestReload();
    },
    reload,
    lost: () => {},
    stopped: () => {},
  };
}

/** Loads the board again whenever somebody has answered or changed something, while the page is visible. */
export function useLiveBoard(threadId: string, wanted: boolean): ConnectionPhase {
  const handlers = useMemo(() => handlersOf(threadId), [threadId]);
  return useLive(wanted ? `/api/threads/${threadId}/live` : null, handlers);
}
