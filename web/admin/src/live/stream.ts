/** What a page does with the messages of a stream. */
export interface StreamListener<T> {
  /** The names of the server-sent events that carry updates; `snapshot` is always one of them. */
  names: readonly string[];
  /** Checks the JSON of a message; null means that it is not what the server sends. */
  parse(value: unknown): T | null;
  received(update: T): void;
  disconnected(): void;
  /** The server refused the request. Resolves when another attempt makes sense, as after a new log-in. */
  refused(): Promise<unknown>;
}

type Open = (address: string) => EventSource;

const CLOSED = 2;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;

export function waitBefore(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
}

/**
 * Reads a stream of server-sent events until the returned function is called. The browser itself reconnects after a
 * lost connection, but never after a refusal, so that this is done here, at growing intervals.
 */
export function readStream<T>(address: string, listener: StreamListener<T>, open: Open = (url) => new EventSource(url)): () => void {
  let stopped = false;
  let attempts = 0;
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    const opened = open(address);
    source = opened;
    const receive = (message: MessageEvent<string>) => {
      const update = parsed(message.data, listener.parse);
      if (update === null) return;
      attempts = 0;
      listener.received(update);
    };
    for (const name of ["snapshot", ...listener.names]) opened.addEventListener(name, receive);
    opened.onerror = () => {
      listener.disconnected();
      if (opened.readyState === CLOSED) retry();
    };
  }

  function retry(): void {
    attempts += 1;
    timer = setTimeout(async () => {
      await listener.refused().catch(() => {});
      if (!stopped) connect();
    }, waitBefore(attempts));
  }

  connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    source?.close();
  };
}

/** A proxy may cut a message short; it is ignored, because the next snapshot makes up for it. */
function parsed<T>(data: string, parse: (value: unknown) => T | null): T | null {
  try {
    return parse(JSON.parse(data));
  } catch {
    return null;
  }
}
