import type { LiveNews } from "./news";

export interface StreamListener {
  news(news: LiveNews): void;
  lost(): void;
  /** The server would not have us. Resolves when it is worth another try, as after a new log-in. */
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
 * Follows a stream until told to stop. A lost connection is taken up again by the browser itself; after a refusal
 * it never tries again, so that is done here, at growing intervals.
 */
export function follow(address: string, listener: StreamListener, open: Open = (url) => new EventSource(url)): () => void {
  let stopped = false;
  let attempts = 0;
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    const opened = open(address);
    source = opened;
    const take = (message: MessageEvent<string>) => {
      const news = readNews(message.data);
      if (news === null) return;
      attempts = 0;
      listener.news(news);
    };
    opened.addEventListener("snapshot", take);
    opened.addEventListener("answers", take);
    opened.onerror = () => {
      listener.lost();
      if (opened.readyState === CLOSED) comeBack();
    };
  }

  function comeBack(): void {
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

/** A proxy may cut a line short; the next snapshot makes up for it. */
export function readNews(data: string): LiveNews | null {
  try {
    const value = JSON.parse(data) as LiveNews;
    return Array.isArray(value.answers) ? value : null;
  } catch {
    return null;
  }
}
