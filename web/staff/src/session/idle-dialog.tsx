import type { JSX } from "preact";
import { Sheet } from "../parts/sheet";

interface IdleDialogProps {
  secondsLeft: number;
  onContinue: () => void;
  onLogOut: () => void;
}

export function IdleDialog({ secondsLeft, onContinue, onLogOut }: IdleDialogProps): JSX.Element {
  return (
    <Sheet title="まもなくログアウトします" onClose={onContinue}>
      <p>
        しばらく操作がありません。あと<b aria-hidden="true">{secondsLeft}秒</b>
        <span class="sr-only">1分以内</span>でログアウトします。
      </p>
      <div class="actions">
        <button type="button" class="button" onClick={onContinue}>
          続ける
        </button>
        <button type="button" class="button button-quiet" onClick={onLogOut}>
          ログアウト
        </button>
      </div>
    </Sheet>
  );
}
