import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SandboxConfig } from "../client/types";
import { SheetHead, titleOf } from "./SheetHead";
import type { OpenPage } from "./use-phone-actions";
import { useRelogin } from "./use-relogin";

interface SheetProps {
  page: OpenPage;
  config: SandboxConfig;
  unread: number;
  onClose: () => void;
}

/** The phone's own browser, sliding up over the chat. */
export function Sheet({ page, config, unread, onClose }: SheetProps) {
  const place = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const [opening, setOpening] = useState(0);
  const [loaded, setLoaded] = useState(false);
  const openAgain = () => {
    setLoaded(false);
    setOpening((count) => count + 1);
  };
  const goingRound = useRelogin(frame, config.product_url, openAgain);
  useFocusInside(place);
  return (
    <div
      ref={place}
      class="sheet"
      role="dialog"
      aria-label={titleOf(page)}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <FocusEdge onReach={() => frame.current?.focus()} />
      <SheetHead page={page} config={config} unread={unread} onClose={onClose} onReload={openAgain} />
      {!loaded && <div class="sheet-progress" role="progressbar" aria-label="ページを読み込んでいます" />}
      {goingRound && (
        <p class="trouble" role="alert">
          ログインを繰り返しています。少し待ってから読み込み直してください。
        </p>
      )}
      <iframe
        key={opening}
        ref={frame}
        src={page.url}
        title={`${titleOf(page)}の中身`}
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-modals allow-downloads"
        allow="clipboard-write"
        referrerpolicy="no-referrer"
        onLoad={() => setLoaded(true)}
      />
      <FocusEdge onReach={() => place.current?.querySelector("button")?.focus()} />
    </div>
  );
}

/** The Tab key that would leave the sheet comes in again on the other side. Keys inside the page are its own. */
function FocusEdge({ onReach }: { onReach: () => void }) {
  return <span class="focus-edge" tabIndex={0} aria-hidden="true" onFocus={onReach} />;
}

function useFocusInside(place: { current: HTMLElement | null }): void {
  // A layout effect: a moment later the covered chat is inert and has lost the focus that is to return to it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    place.current?.querySelector("button")?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement) requestAnimationFrame(() => before.focus({ preventScroll: true }));
    };
  }, []);
}
