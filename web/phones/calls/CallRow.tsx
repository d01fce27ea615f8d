import { clockTimeWithSeconds } from "../chat/japan-time";
import type { Call } from "../client/types";
import { hasFailed, noteOf, wayOf } from "./call-words";

/** The roles are written out: on a narrow screen the style sheet lays a row out in lines, and it stays a row. */
export function CallRow({ call }: { call: Call }) {
  return (
    <tr role="row">
      <td role="cell" class="call-time">
        <time dateTime={call.at}>{clockTimeWithSeconds(Date.parse(call.at))}</time>
      </td>
      <td role="cell" class={`call-way ${call.direction}`}>
        {wayOf(call)}
      </td>
      <td role="cell" class="call-path">
        <b>{call.method}</b> {call.path}
      </td>
      <td role="cell" class="call-status">
        <span class={`status ${hasFailed(call) ? "bad" : "good"}`}>{call.status ?? "返事なし"}</span>
      </td>
      <td role="cell" class="number">
        {Math.round(call.ms).toLocaleString("ja-JP")} ms
      </td>
      <td role="cell" class="call-note">
        {noteOf(call)}
      </td>
    </tr>
  );
}
