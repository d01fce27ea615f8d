import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatMessage } from "../client/types";
import { useSelected } from "../state/store";

function newestReceived(chat: ChatMessage[] | undefined): string | null {
  const received = chat?.filter((entry) => entry.from === "account") ?? [];
  return received[received.length - 1]?.id ?? null;
}

const SHAKE_MS = 900;

/** True for a moment after a message arrived, long enough for the phone to shake and its owner to smile. */
export function useArrival(userId: string): boolean {
  const newest = useSelected((state) => newestReceived(state.chats[userId]));
  const loaded = useSelected((state) => state.chats[userId] !== undefined);
  const before = useRef<string | null | undefined>(undefined);
  const [arrived, setArrived] = useState(false);
  useEffect(() => {
    if (!loaded) return;
    const first = before.current === undefined;
    const changed = before.current !== newest;
    before.current = newest;
    if (first || !changed || newest === null) return;
    setArrived(true);
    const timer = setTimeout(() => setArrived(false), SHAKE_MS);
    return () => {
      clearTimeout(timer);
      setArrived(false);
    };
  }, [newest, loaded]);
  return arrived;
}
