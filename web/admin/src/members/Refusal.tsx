import { ApiError, Unreachable } from "../../../api/errors";
import { Notice } from "../frame/Notice";

const UNEXPECTED = "画面で問題が起きました。ページを読み込み直して、もう一度お試しください。";

/** Why something asked for did not happen, beside the button that asked for it. */
export function Refusal({ title, error }: { title: string; error: unknown }) {
  const known = error instanceof ApiError || error instanceof Unreachable;
  return (
    <Notice tone="danger" title={title} requestId={error instanceof ApiError ? error.requestId : null} alert>
      {known ? error.message : UNEXPECTED}
    </Notice>
  );
}
