import type { ComponentChildren, JSX } from "preact";
import { TalkDrawing } from "../../../kit/drawings";
import { ErrorScreen } from "../../../kit/error-screen";
import { Link } from "../../../kit/router";
import { BackToList, LIST_PATHS } from "../back-to-list";
import { type IdentityAdapter, LineUnavailable } from "../identity/adapter";
import { type MemberErrorWords, memberErrorWords } from "./member-error-words";

interface MemberErrorProps {
  error: unknown;
  /** What the part of the product has to say about this error; LINE's and the general ones are known here. */
  words?: MemberErrorWords;
  adapter: Pick<IdentityAdapter, "lineUrl" | "login"> | null;
  retry: () => void;
  /** Whether the list is one step above. */
  belowList?: boolean;
  /** What stands on the screen besides, such as an answer that has not been sent yet. */
  children?: ComponentChildren;
}

/** The error screen of the member app, which knows LINE and the list as ways on. */
export function MemberError({ error, words = memberErrorWords(error), adapter, retry, belowList = false, children }: MemberErrorProps): JSX.Element {
  const { help } = words;
  const aboutLine = help === "line" || error instanceof LineUnavailable;
  return (
    <ErrorScreen
      error={error}
      words={words}
      retry={help === "retry" ? retry : undefined}
      back={belowList && help !== "list" && <BackToList />}
      actions={help === "line" ? <OpenInLine adapter={adapter} /> : help === "list" && <ToList />}
      {...(aboutLine ? { drawing: <TalkDrawing /> } : {})}
    >
      {children}
    </ErrorScreen>
  );
}

export function ToList(): JSX.Element {
  return (
    <Link to={LIST_PATHS[0]} class="button">
      一覧を見る
    </Link>
  );
}

function OpenInLine({ adapter }: Pick<MemberErrorProps, "adapter">): JSX.Element {
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
