import { useEffect, useRef, useState } from "preact/hooks";
import type { AnswersProgress, Call, ChatMessage, FaultRule, Person, Quota, RichMenu, SandboxConfig } from "../client/types";

export interface PhonesState {
  phase: "loading" | "ready" | "failed";
  connection: "live" | "reconnecting" | "down";
  config: SandboxConfig | null;
  people: Person[];
  /** The chats of the phones that have been opened; the others are known by their unread count only. */
  chats: Record<string, ChatMessage[]>;
  richMenu: RichMenu | null;
  calls: Call[];
  /** The run of "everybody answers" that this page has seen, until its result was put away. */
  answers: AnswersProgress | null;
  faults: FaultRule[];
  quota: Quota;
  /** The phones the visitor chose, or null as long as nobody chose. */
  chosen: string[] | null;
  /** The sandbox's time: tests and demos may move its clock away from the computer's. */
  now: number;
  /** What the screen reader says next. */
  announcement: string;
}

export const initialState: PhonesState = {
  phase: "loading",
  connection: "live",
  config: null,
  people: [],
  chats: {},
  richMenu: null,
  calls: [],
  answers: null,
  faults: [],
  quota: { type: "none", total_usage: 0 },
  chosen: null,
  now: Date.now(),
  announcement: "",
};

let state = initialState;
const listeners = new Set<() => void>();

export function getState(): PhonesState {
  return state;
}

export function update(change: Partial<PhonesState>): void {
  state = { ...state, ...change };
  for (const listener of [...listeners]) listener();
}

/** Renders again only when the selected value is another one, so select what is stored, not what is computed. */
export function useSelected<Value>(select: (state: PhonesState) => Value): Value {
  const [, renderAgain] = useState({});
  const value = select(state);
  const latest = useRef({ select, value });
  latest.current = { select, value };
  useEffect(() => {
    const check = () => {
      if (!Object.is(latest.current.select(state), latest.current.value)) renderAgain({});
    };
    check();
    listeners.add(check);
    return () => void listeners.delete(check);
  }, []);
  return value;
}
