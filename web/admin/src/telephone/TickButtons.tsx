import { Button } from "@mantine/core";
import { messageOf } from "../event-detail/actions/field-errors";
import { Moment } from "../frame/Moment";
import { Notice } from "../frame/Notice";
import { type Call, RESULTS, useTick, whoCalled } from "./telephone";

interface TickProps {
  call: Pick<Call, "id" | "done_at" | "done_by" | "result">;
  name: string;
  after?: () => void;
}

/** The two ways in which a call ends, or who called and when. */
export function TickButtons({ call, name, after }: TickProps) {
  const tick = useTick(after);
  const end = (result: "told" | "unreachable" | null) => tick.mutate({ id: call.id, result });
  return (
    <div>
      {call.done_at === null ? (
        <div style={{ display: "flex", flexWrap: "wrap", gap: "0.5rem" }}>
          <Button size="sm" loading={tick.isPending} aria-label={`${name}さんに電話で伝えた`} onClick={() => end("told")}>
            電話で伝えた
          </Button>
          <Button size="sm" variant="default" disabled={tick.isPending} aria-label={`${name}さんにつながらなかった`} onClick={() => end("unreachable")}>
            つながらなかった
          </Button>
        </div>
      ) : (
        <p style={{ margin: 0 }}>
          {call.result && RESULTS[call.result]}（{whoCalled(call.done_by)} <Moment at={call.done_at} />）
          <Button size="compact-sm" variant="subtle" loading={tick.isPending} aria-label={`${name}さんへの電話の記録を取り消す`} onClick={() => end(null)}>
            取り消す
          </Button>
        </p>
      )}
      {tick.isError && (
        <Notice tone="danger" alert>
          {messageOf(tick.error)}
        </Notice>
      )}
    </div>
  );
}
