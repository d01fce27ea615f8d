import type { JSX } from "preact";
import type { ThreadSendState } from "../answers/thread-answers";
import { lineFor } from "./words";

interface DockProps {
  /** How many slots would become × unseen, while the person is asked about them; 0: nothing is asked. */
  notSeen: number;
  onLook: () => void;
  onConfirm: () => void;
  sendState: ThreadSendState;
  openCount: number;
  slotCount: number;
  /** Why what is chosen cannot be sent; empty when it can. */
  trouble: string;
  onLeave: (() => void) | null;
}

/** Stays at the lower edge, within reach of a thumb: how the answer stands, and the button that sends it. */
export function SendDock({ notSeen, onLook, onConfirm, sendState, openCount, slotCount, trouble, onLeave }: DockProps): JSX.Element {
  const { tone, text } = lineFor(sendState, openCount, slotCount);
  const sending = sendState.kind === "sending";
  if (notSeen > 0) return <Question notSeen={notSeen} onLook={onLook} onConfirm={onConfirm} />;
  return (
    <div class="dock">
      <p class={`standing standing-${trouble ? "bad" : tone}`} role={trouble ? "alert" : "status"}>
        {trouble || text}
      </p>
      {sendState.kind === "waiting" && (
        <p class="note">
          {sendState.kept ? "この画面を閉じても回答は消えません。次に開いたときに送ります。" : "送り終わるまで、この画面を閉じないでください。"}
        </p>
      )}
      <div class="dock-buttons">
        {onLeave && (
          <button type="button" class="button button-quiet" onClick={onLeave}>
            変えずに戻る
          </button>
        )}
        <button type="submit" class="button" aria-disabled={sending}>
          {sending ? "送っています…" : sendState.kind === "waiting" ? "いま送り直す" : "この内容で送る"}
        </button>
      </div>
    </div>
  );
}

function Question({ notSeen, onLook, onConfirm }: Pick<DockProps, "notSeen" | "onLook" | "onConfirm">): JSX.Element {
  return (
    <div class="dock">
      <p class="standing standing-warn" role="alert">
        まだ見ていない候補が{notSeen}つあります。
      </p>
      <div class="dock-buttons">
        <button type="button" class="button button-quiet" onClick={onConfirm}>
          ×として送る
        </button>
        <button type="button" class="button" onClick={onLook}>
          候補を見る
        </button>
      </div>
    </div>
  );
}
