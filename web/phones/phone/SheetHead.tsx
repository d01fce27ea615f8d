import type { SandboxConfig } from "../client/types";
import { Badge } from "../page/Badge";
import { Icon } from "../page/Icon";
import type { OpenPage } from "./use-phone-actions";

interface SheetHeadProps {
  page: OpenPage;
  config: SandboxConfig;
  unread: number;
  onClose: () => void;
  onReload: () => void;
}

export function SheetHead({ page, config, unread, onClose, onReload }: SheetHeadProps) {
  return (
    <header class="sheet-head">
      <button type="button" class="round" aria-label="閉じてトークに戻る" onClick={onClose}>
        <Icon name="close" />
        <Badge count={unread} />
      </button>
      <div class="sheet-words">
        <p class="screen-title">{titleOf(page)}</p>
        <p>{hostOf(page, config)}</p>
      </div>
      {!page.liff && <OpenInTab url={page.url} />}
      <button type="button" class="round" aria-label="読み込み直す" onClick={onReload}>
        <Icon name="reload" />
      </button>
    </header>
  );
}

/** Some pages refuse to be shown inside another one; a tab of its own always works. */
function OpenInTab({ url }: { url: string }) {
  return (
    <a class="round" href={url} target="_blank" rel="noopener noreferrer" aria-label="別のタブで開く">
      <Icon name="outside" />
    </a>
  );
}

const STAFF = /\/staff(\/|$)/;

export function titleOf(page: OpenPage): string {
  if (STAFF.test(new URL(page.url).pathname)) return "職員の予約";
  return page.liff ? "会員ページ" : "ページ";
}

/** A LIFF address only leads on to the product; the product is what the person looks at. */
function hostOf(page: OpenPage, config: SandboxConfig): string {
  return new URL(page.liff ? config.product_url : page.url).host;
}
