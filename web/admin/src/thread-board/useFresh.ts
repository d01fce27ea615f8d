import { useEffect, useRef, useState } from "react";
import type { BoardPerson } from "../threads/thread";

// As long as the style sheet takes to fade the highlight of a new answer.
const HIGHLIGHT_MS = 6_000;
const NOBODY: ReadonlySet<string> = new Set();

/** The people whose answer came while the page was open, for a moment. */
export function useFresh(people: readonly BoardPerson[]): ReadonlySet<string> {
  const before = useRef<Map<string, string | null> | null>(null);
  const [fresh, setFresh] = useState(NOBODY);
  useEffect(() => {
    const now = new Map(people.map(({ invitee_key, responded_at }) => [invitee_key, responded_at]));
    const known = before.current;
    before.current = now;
    if (known === null) return undefined;
    const changed = people.filter(({ invitee_key, responded_at }) => known.has(invitee_key) && known.get(invitee_key) !== responded_at);
    if (changed.length === 0) return undefined;
    setFresh(new Set(changed.map(({ invitee_key }) => invitee_key)));
    const timer = setTimeout(() => setFresh(NOBODY), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [people]);
  return fresh;
}
