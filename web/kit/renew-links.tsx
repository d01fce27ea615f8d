import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface RenewLinksProps {
  /** Whose links stop: `どのイベントのものも`. */
  scope: string;
  renew: () => Promise<void>;
}

/** For somebody who passed the address of a calendar file on by mistake: all earlier ones stop to work. */
export function RenewLinks({ scope, renew }: RenewLinksProps): JSX.Element {
  const [state, setState] = useState<"closed" | "asking" | "sending" | "failed" | "done">("closed");
  async function send(): Promise<void> {
    setState("sending");
    try {
      await renew();
      setState("done");
    } catch {
      setState("failed");
    }
  }
  if (state === "closed") {
    return (
      <button type="button" class="calendar-renew" onClick={() => setState("asking")}>
        カレンダーのリンクを人に教えてしまったとき
      </button>
    );
  }
  return (
    <div class="say calendar-renewing" role="status">
      {state === "done" ? (
        <p>リンクを新しくしました。これまでのリンクは、もう使えません。</p>
      ) : (
        <>
          <p>あなたのカレンダーのリンクを新しくします。これまでのリンクは、{scope}使えなくなります。</p>
          {state === "failed" && <p class="calendar-failed">新しくできませんでした。電波のよいところで、もう一度お試しください。</p>}
          <button type="button" class="button button-quiet" disabled={state === "sending"} onClick={() => void send()}>
            リンクを新しくする
          </button>
        </>
      )}
    </div>
  );
}
