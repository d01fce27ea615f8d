import { clockTime } from "../chat/japan-time";
import { useSelected } from "../state/store";

export function StatusBar() {
  const time = useSelected((state) => clockTime(state.now));
  return (
    <div class="status-bar">
      <time aria-label={`日本時間 ${time}`}>{time}</time>
      <span class="camera" aria-hidden="true" />
      <span class="signs" aria-hidden="true">
        <span class="signal" />
        <span class="battery" />
      </span>
    </div>
  );
}
