import { useSelected } from "../state/store";

/** Lies over the page instead of pushing it down, so that nothing moves under a finger. */
export function ConnectionNotice() {
  const connection = useSelected((state) => state.connection);
  const phase = useSelected((state) => state.phase);
  if (connection === "live" || phase !== "ready") return null;
  return (
    <div class={`connection ${connection}`} role="alert">
      <span class="spinner" aria-hidden="true" />
      {connection === "reconnecting"
        ? "接続し直しています…"
        : "サーバーが止まっています。動き出すとつながります"}
    </div>
  );
}
