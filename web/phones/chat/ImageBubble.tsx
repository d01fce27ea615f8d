import { useContext, useState } from "preact/hooks";
import { PhoneActionsContext } from "../phone/phone-actions";

/** The picture's room is fixed before it arrives, so that the chat does not move while it loads. */
export function ImageBubble({ original, preview }: { original: string; preview: string }) {
  const [state, setState] = useState<"loading" | "shown" | "broken">("loading");
  const { showImage } = useContext(PhoneActionsContext);
  if (state === "broken") return <div class="bubble note">画像を表示できません</div>;
  return (
    <button type="button" class={`image-bubble ${state}`} aria-label="画像を大きく見る" onClick={() => showImage(original)}>
      <img
        src={preview}
        alt=""
        loading="lazy"
        decoding="async"
        onLoad={() => setState("shown")}
        onError={() => setState("broken")}
      />
    </button>
  );
}
