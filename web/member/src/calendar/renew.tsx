import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useSession } from "../session";

interface RenewCalendarProps {
  eventId: number;
  /** Gets the new address of the event's calendar file. */
  renewed: (fileUrl: string) => void;
}

/** For somebody who passed a calendar address on by mistake: all earlier ones stop to work. */
export function RenewCalendar({ eventId, renewed }: RenewCalendarProps): JSX.Element {
  const { client } = useSession();
  const [state, setState] = useState<"closed" | "asking" | "sending" | "failed" | "done">("closed");
  async function renew(): Promise<void> {
    setState("sending");
    try {
      await client.post("/api/liff/calendar-keys/renewal", { confirm: true });
      renewed((await client.get("/api/liff/events/{event_id}", { event_id: eventId })).calendar_url);
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
          <p>あなたのカレンダーのリンクを新しくします。これまでのリンクは、どのイベントのものも使えなくなります。</p>
          {state === "failed" && <p class="calendar-failed">新しくできませんでした。電波のよいところで、もう一度お試しください。</p>}
          <button type="button" class="button button-quiet" disabled={state === "sending"} onClick={() => void renew()}>
            リンクを新しくする
          </button>
        </>
      )}
    </div>
  );
}
