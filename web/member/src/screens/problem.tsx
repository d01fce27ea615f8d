import type { ComponentChildren, JSX } from "preact";
import { ApiError, Unreachable } from "../../../api/errors";
import { type IdentityAdapter, LineUnavailable, NotInLine, TokenRefused } from "../identity/adapter";
import { Link } from "../router";
import { CalendarDrawing, NoReceptionDrawing, TalkDrawing } from "./drawings";
import { Screen } from "./screen";

interface Words {
  title: string;
  text: string;
  /** What helps: trying again from here, coming in anew through LINE, or going elsewhere. */
  help: "retry" | "line" | "list";
}

const NO_SUCH_EVENT: Words = {
  title: "イベントが見つかりません",
  text: "取りやめになったか、リンクが古くなっているようです。一覧でお確かめください。",
  help: "list",
};
const BY_CODE: Record<string, Words> = {
  NOT_INVITED: {
    title: "ご案内の対象ではありません",
    text: "このイベントは、ほかの方へのご案内です。お心当たりがあるときは、事務局にご連絡ください。",
    help: "list",
  },
  RATE_LIMITED: {
    title: "少しお待ちください",
    text: "短い時間に何度も開かれました。1分ほど待ってから、もう一度お試しください。",
    help: "retry",
  },
};
const BY_STATUS: Record<number, Words> = { 400: NO_SUCH_EVENT, 404: NO_SUCH_EVENT, 422: NO_SUCH_EVENT };

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
  const known = error instanceof ApiError ? (BY_CODE[error.code] ?? BY_STATUS[error.status]) : undefined;
  if (known) return known;
  const text = error instanceof ApiError ? error.message : "しばらくしてから、もう一度お試しください。";
  return { title: "うまくいきませんでした", text, help: "retry" };
}

interface ProblemProps {
  /** What stands on the screen besides, such as an answer that still waits. */
  children?: ComponentChildren;
  /** Whether the list is one step above. */
  below?: boolean;
  error: unknown;
  adapter: Pick<IdentityAdapter, "lineUrl" | "login"> | null;
  retry: () => void;
}

export function Problem({ error, adapter, retry, below = false, children }: ProblemProps): JSX.Element {
  const { title, text, help } = wordsFor(error);
  // A number to tell the office helps where something broke, not where the answer is simply no.
  const requestId = error instanceof ApiError && help === "retry" ? error.requestId : null;
  return (
    <Screen title={title} below={below && help !== "list"}>
      <div class="card empty">
        {drawingOf(error, help)}
        <p role="alert">{text}</p>
      </div>
      {children}
      <div class="actions">
        {help === "retry" && (
          <button type="button" class="button" onClick={retry}>
            もう一度試す
          </button>
        )}
        {help === "line" && <LineDoors adapter={adapter} />}
        {help === "list" && (
          <Link to="/events" class="button">
            一覧を見る
          </Link>
        )}
      </div>
      {requestId && <p class="note">お問い合わせの際は、この番号をお伝えください：{requestId}</p>}
    </Screen>
  );
}

/** Lost reception is drawn only where it is the trouble: nobody should walk to the window because a server broke. */
function drawingOf(error: unknown, help: Words["help"]): JSX.Element {
  if (error instanceof Unreachable) return <NoReceptionDrawing />;
  return help === "line" || error instanceof LineUnavailable ? <TalkDrawing /> : <CalendarDrawing />;
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
