import type { JSX } from "preact";
import { ApiError, Unreachable } from "../../../api/errors";
import { type IdentityAdapter, LineUnavailable, NotInLine, TokenRefused } from "../identity/adapter";
import { NoReceptionDrawing, TalkDrawing } from "./drawings";
import { Screen } from "./screen";

interface Words {
  title: string;
  text: string;
  /** What helps: trying again from here, or coming in anew through LINE. */
  help: "retry" | "line";
}

export function wordsFor(error: unknown): Words {
  if (error instanceof NotInLine) {
    return {
      title: "LINEから開いてください",
      text: "このページは、LINEの中で開くとお使いいただけます。公式アカウントのトーク画面で、メニューやメッセージのリンクを押してください。",
      help: "line",
    };
  }
  if (error instanceof TokenRefused) {
    return {
      title: "LINEから開き直してください",
      text: "時間がたったため、ご本人の確認がとれなくなりました。この画面を閉じて、LINEのトーク画面からもう一度開いてください。",
      help: "line",
    };
  }
  if (error instanceof LineUnavailable) {
    return {
      title: "LINEにつながりません",
      text: "LINEの側で一時的に問題が起きているようです。少し待ってから、もう一度お試しください。",
      help: "retry",
    };
  }
  if (error instanceof Unreachable) {
    return {
      title: "つながりませんでした",
      text: "電波のよい場所で、もう一度お試しください。",
      help: "retry",
    };
  }
  const text = error instanceof ApiError ? error.message : "しばらくしてから、もう一度お試しください。";
  return { title: "うまくいきませんでした", text, help: "retry" };
}

interface ProblemProps {
  error: unknown;
  adapter: Pick<IdentityAdapter, "lineUrl" | "login"> | null;
  retry: () => void;
}

export function Problem({ error, adapter, retry }: ProblemProps): JSX.Element {
  const { title, text, help } = wordsFor(error);
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Screen title={title}>
      <div class="card empty">
        {help === "line" ? <TalkDrawing /> : <NoReceptionDrawing />}
        <p role="alert">{text}</p>
      </div>
      <div class="actions">
        {help === "retry" ? (
          <button type="button" class="button" onClick={retry}>
            もう一度試す
          </button>
        ) : (
          <LineDoors adapter={adapter} />
        )}
      </div>
      {requestId && <p class="note">お問い合わせの際は、この番号をお伝えください：{requestId}</p>}
    </Screen>
  );
}

function LineDoors({ adapter }: Pick<ProblemProps, "adapter">): JSX.Element {
  const url = adapter?.lineUrl();
  const login = adapter?.login;
  return (
    <>
      {url && (
        <a class="button" href={url}>
          LINEで開く
        </a>
      )}
      {login && (
        <button type="button" class="button button-quiet" onClick={login}>
          このブラウザでLINEにログインする
        </button>
      )}
    </>
  );
}
