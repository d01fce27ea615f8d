import { readStream } from "./stream";
import { atMostEvery } from "./throttle";

export type ConnectionPhase = "connecting" | "live" | "lost";

/** What a page does with the live updates of its subject. */
export interface LiveHandlers<T> {
  /** The names of the server-sent events that carry updates, besides `snapshot`. */
  names: readonly string[];
  /** Checks the JSON of a message; null means that it is not what the server sends. */
  parse(value: unknown): T | null;
  /** Shows an update. `requestReload` is for changes that the update does not spell out. */
  update(update: T, requestReload: () => void): void;
  /** Loads again what the page shows. */
  reload(): Promise<unknown>;
  /** The stream has been away for so long that what it said last may be out of date. */
  lost(): void;
  /** Nobody follows the subject any more. Timers end here. */
  stopped(): void;
}

const RELOAD_MS = 2_000;
// The server ends each stream after some minutes, and the browser reconnects within two seconds: no reason to say so.
const UNNOTICED_MS = 4_000;
// A proxy may hold streams back altogether; then the page loads its data again from time to time.
const SILENT_MS = 10_000;
const WITHOUT_STREAM_MS = 30_000;

/** Follows one subject until the returned function is called, and says how the connection is. */
export function followSubject<T>(
  path: string,
  handlers: LiveHandlers<T>,
  setPhase: (phase: ConnectionPhase) => void,
  read: typeof readStream<T> = readStream,
): () => void {
  let losing: ReturnType<typeof setTimeout> | undefined = setTimeout(lost, SILENT_MS);
  let polling: ReturnType<typeof setInterval> | undefined;
  const reload = atMostEvery(RELOAD_MS, () => void handlers.reload().catch(() => {}));

  function lost(): void {
    setPhase("lost");
    handlers.lost();
    polling ??= setInterval(reload.request, WITHOUT_STREAM_MS);
  }

  function clearTimers(): void {
    clearTimeout(losing);
    clearInterval(polling);
    losing = polling = undefined;
  }

  const stop = read(path, {
    names: handlers.names,
    parse: handlers.parse,
    received: (update) => {
      clearTimers();
      setPhase("live");
      handlers.update(update, reload.request);
    },
    disconnected: () => {
      losing ??= setTimeout(lost, UNNOTICED_MS);
    },
    refused: handlers.reload,
  });
  return () => {
    stop();
    reload.stop();
    clearTimers();
    handlers.stopped();
  };
}
