/** An event of the sandbox's stream. What else it carries depends on its type. */
export interface StreamEvent {
  type: string;
  [property: string]: unknown;
}

export interface StreamListener {
  event(event: StreamEvent): void;
  /** Called each time the stream opens; `again` tells a reconnection, after which everything may have changed. */
  open(again: boolean): void;
  lost(attempts: number): void;
}

const NAMED = ["user", "message", "read", "rich_menu", "webhook", "call", "answers", "conditions", "reset"];
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

export function waitBefore(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
}

/**
 * Listens to the sandbox for as long as the page is open. EventSource gives up for good on an HTTP error
 * (a restarting server), so that every loss is answered by a new EventSource after a growing wait.
 */
export function listen(listener: StreamListener, address = "/_sandbox/stream"): void {
  let opened = false;
  let attempts = 0;

  function connect(): void {
    const source = new EventSource(address);
    const take = (message: MessageEvent<string>) => {
      const event = readEvent(message.type, message.data);
      if (event) listener.event(event);
    };
    for (const name of ["message", ...NAMED]) source.addEventListener(name, take);
    source.onopen = () => {
      listener.open(opened);
      opened = true;
      attempts = 0;
    };
    source.onerror = () => {
      source.close();
      attempts += 1;
      listener.lost(attempts);
      setTimeout(connect, waitBefore(attempts));
    };
  }
  connect();
}

/** The type stands in the data, or else in the name of the server-sent event. */
export function readEvent(name: string, data: string): StreamEvent | null {
  try {
    const value = JSON.parse(data) as Record<string, unknown>;
    return { ...value, type: typeof value["type"] === "string" ? value["type"] : name };
  } catch {
    return null;
  }
}
