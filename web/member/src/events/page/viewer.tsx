import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { usePinch } from "./use-pinch";

interface ViewerProps {
  title: string;
  previewUrl: string;
  url: string;
  onClose: () => void;
}

/** The picture alone on the whole screen. Two buttons do what two fingers do, for those who cannot pinch. */
export function Viewer({ title, previewUrl, url, onClose }: ViewerProps): JSX.Element {
  const dialog = useDialog(onClose);
  const { stage, picture, larger, smaller, onKeyDown } = usePinch();
  const src = useOriginal(previewUrl, url);
  return (
    <dialog ref={dialog} class="viewer" aria-label={`「${title}」の案内の画像`} onKeyDown={onKeyDown}>
      <div ref={stage} class="viewer-stage">
        <img ref={picture} class="viewer-picture" src={src} alt={`「${title}」の案内`} draggable={false} />
      </div>
      <button type="button" class="viewer-button viewer-close" onClick={onClose}>
        閉じる
      </button>
      <div class="viewer-zoom">
        <button type="button" class="viewer-button" onClick={smaller}>
          縮小
        </button>
        <button type="button" class="viewer-button" onClick={larger}>
          拡大
        </button>
      </div>
    </dialog>
  );
}

/** The small picture stands in until the large one has come. */
function useOriginal(previewUrl: string, url: string): string {
  const [src, setSrc] = useState(previewUrl);
  useEffect(() => {
    const original = new Image();
    original.onload = () => setSrc(url);
    original.src = url;
    return () => {
      original.onload = null;
    };
  }, [url]);
  return src;
}

/** A modal dialog keeps the focus inside and gives it back afterwards. Phones that know none show it all the same. */
function useDialog(onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    if (!shown) return;
    const before = document.activeElement;
    if (typeof shown.showModal === "function") shown.showModal();
    else shown.setAttribute("open", "");
    // The Escape key goes the same way as every other closing: back in the history.
    const cancel = (event: Event) => {
      event.preventDefault();
      onClose();
    };
    shown.addEventListener("cancel", cancel);
    return () => {
      shown.removeEventListener("cancel", cancel);
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return dialog;
}
