import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { EventDetail } from "../shapes";
import { useOverlay } from "../../../../kit/use-overlay";
import { Viewer } from "./viewer";

/** The box has its size before the picture has come, so that nothing under it moves. */
export function Picture({ event, previewUrl }: { event: EventDetail; previewUrl: string }): JSX.Element | null {
  const [missing, setMissing] = useState(false);
  const { open, show, close } = useOverlay();
  if (missing) return <p class="say say-warn">案内の画像を表示できません。LINEのトーク画面に届いた画像をご覧ください。</p>;
  return (
    <>
      <button type="button" class="picture" aria-haspopup="dialog" onClick={show}>
        <img src={previewUrl} alt={`「${event.title}」の案内`} decoding="async" onError={() => setMissing(true)} />
        <span class="picture-hint">画像を大きく見る</span>
      </button>
      {open && <Viewer title={event.title} previewUrl={previewUrl} url={event.image_url ?? previewUrl} onClose={close} />}
    </>
  );
}
