import type { Board, BoardPerson, BoardSlot } from "../../threads/thread";

/** What somebody wants to do, and with whom or what. */
export type ActionChoice =
  | { action: "send" }
  | { action: "remind"; keys?: string[] }
  | { action: "finalize"; slot?: BoardSlot }
  | { action: "add-slots" }
  | { action: "add-people" }
  | { action: "rule" }
  | { action: "edit" }
  | { action: "cancel" }
  | { action: "reopen" }
  | { action: "event" }
  | { action: "remove-slot"; slot: BoardSlot }
  | { action: "remove-person"; person: BoardPerson };

export interface DialogProps {
  board: Board;
  /** Closes the dialog and shows what was done. */
  done: (text: string) => void;
  close: () => void;
}

export const TITLES: Record<ActionChoice["action"], string> = {
  send: "送る",
  remind: "督促",
  finalize: "日程を決定",
  "add-slots": "候補日を追加",
  "add-people": "人を追加",
  rule: "決め方を変える",
  edit: "内容・期限を変える",
  cancel: "日程調整を中止",
  reopen: "決定を取り消す",
  event: "イベントにする",
  "remove-slot": "候補日を外す",
  "remove-person": "声をかけた方を外す",
};
