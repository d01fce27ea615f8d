// A form that is kept in the browser: Back, a reload or a closed tab costs nothing that was typed.
import { useState } from "react";
import { useSession } from "../session/useSession";

export type Stored = Record<string, unknown>;

export interface DraftStore<Draft> {
  load: (username: string, storage?: Storage) => Draft | null;
  save: (username: string, draft: Draft, storage?: Storage) => void;
  forget: (username: string, storage?: Storage) => void;
}

/**
 * One draft for each person who logs in: a shared PC must not show one's work to the other. `read` gets what was stored,
 * perhaps by an older version of the console, and takes field by field what it understands; null: nothing of it.
 */
export function draftStore<Draft>(name: string, read: (stored: Stored) => Draft | null): DraftStore<Draft> {
  const keyOf = (username: string) => `tsudoi.${name}.${username}`;
  return {
    load: (username, storage = window.localStorage) => {
      try {
        const stored: unknown = JSON.parse(storage.getItem(keyOf(username)) ?? "null");
        return isRecord(stored) ? read(stored) : null;
      } catch {
        // No storage, or not our words in it: the form starts empty, which is better than not at all.
        return null;
      }
    },
    save: (username, draft, storage = window.localStorage) => {
      try {
        storage.setItem(keyOf(username), JSON.stringify(draft));
      } catch {
        // A full or forbidden storage costs the draft on a reload, never the work in front of the person.
      }
    },
    forget: (username, storage = window.localStorage) => {
      try {
        storage.removeItem(keyOf(username));
      } catch {
        // What cannot be stored cannot be there.
      }
    },
  };
}

export interface KeptDraft<Draft> {
  draft: Draft;
  /** Whether this is the continuation of an earlier visit. */
  resumed: boolean;
  /** Whether anything of it is stored. */
  kept: boolean;
  change: (draft: Draft) => void;
  discard: () => void;
  /** It is saved on the server: nothing of it stays stored, while the screen keeps it until it is left. */
  finish: () => void;
}

/** The draft of a form, stored with each change. A screen on which somebody else may log in needs a `key` per user. */
export function useKeptDraft<Draft>(store: DraftStore<Draft>, blank: () => Draft): KeptDraft<Draft> {
  const username = useSession().username ?? "";
  const [stored] = useState(() => store.load(username));
  const [draft, setDraft] = useState(() => stored ?? blank());
  const [resumed, setResumed] = useState(stored !== null);
  const [kept, setKept] = useState(stored !== null);
  const forget = () => {
    setResumed(false);
    setKept(false);
    store.forget(username);
  };
  return {
    draft,
    resumed,
    kept,
    change: (changed) => {
      setDraft(changed);
      setKept(true);
      store.save(username, changed);
    },
    discard: () => {
      setDraft(blank());
      forget();
    },
    finish: forget,
  };
}

/** The blank draft with the texts, numbers and switches that were stored for its fields. */
export function plainFields<Draft extends object>(stored: Stored, blank: Draft): Draft {
  const kept = Object.entries(blank).filter(([name, value]) => typeof value !== "object" && typeof stored[name] === typeof value);
  return { ...blank, ...Object.fromEntries(kept.map(([name]) => [name, stored[name]])) };
}

export function listOf<Item>(stored: unknown, isItem: (value: unknown) => value is Item): Item[] {
  return Array.isArray(stored) ? stored.filter(isItem) : [];
}

export function isRecord(value: unknown): value is Stored {
  return typeof value === "object" && value !== null;
}
