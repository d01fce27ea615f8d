import { clockTimeWithSeconds } from "../chat/japan-time";
import type { Call } from "../client/types";

export function CallRow({ call }: { call: Call }) {
  return (
    <tr>
      <td>
        <time dateTime={call.at}>{clockTimeWithSeconds(Date.parse(call.at))}</time>
      </td>
      <td>{wayOf(call)}</td>
      <td class="call-path">
        <b>{call.method}</b> {call.path}
      </td>
      <td>
        <span class={`status ${statusKind(call.status)}`}>{call.status ?? "返事なし"}</span>
      </td>
      <td class="number">{Math.round(call.ms)} ms</td>
      <td>{call.note}</td>
    </tr>
  );
}

/** LIFF addresses are opened by a phone's browser; all other calls come from the product. */
function wayOf(call: Call): string {
  if (call.direction === "out") return "LINE役 → 本体";
  return call.path.startsWith("/liff/") ? "電話 → LINE役" : "本体 → LINE役";
}

function statusKind(status: number | null): "good" | "bad" {
  return status !== null && status < 400 ? "good" : "bad";
}
