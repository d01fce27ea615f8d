import type { ComponentChildren, JSX } from "preact";
import { ApiError, Unreachable } from "../api/errors";
import { Said } from "./ask-office";
import { CalendarDrawing, NoReceptionDrawing } from "./drawings";
import { type ErrorWords, errorWords } from "./error-words";
import { Screen } from "./screen";

interface ErrorScreenProps {
  error: unknown;
  /** What the application has to say about this error, when it is one of its own. */
  words?: ErrorWords;
  /** Where trying again may help. */
  retry?: (() => void) | undefined;
  drawing?: JSX.Element;
  /** A `BackLink` to the screen above. */
  back?: ComponentChildren;
  /** Other ways on: buttons and links. */
  actions?: ComponentChildren;
  /** What stands on the screen besides, such as an answer that has not been sent yet. */
  children?: ComponentChildren;
}

/** Stands in the place of a screen that could not be shown: what happened, and what to do. */
export function ErrorScreen({ error, words, retry, drawing, back, actions, children }: ErrorScreenProps): JSX.Element {
  const { title, text } = words ?? errorWords(error);
  // A number to tell the office helps where something broke, not where the answer is simply no.
  const requestId = error instanceof ApiError && retry ? error.requestId : null;
  return (
    <Screen title={title} back={back}>
      <div class="card empty">
        {drawing ?? drawingOf(error)}
        <p role="alert">
          <Said text={text} />
        </p>
      </div>
      {children}
      <div class="actions">
        {retry && (
          <button type="button" class="button" onClick={retry}>
            もう一度試す
          </button>
        )}
        {actions}
      </div>
      {requestId && <p class="note">お問い合わせの際は、この番号をお伝えください：{requestId}</p>}
    </Screen>
  );
}

/** Lost reception is drawn only where it is the trouble: nobody should walk to the window because a server broke. */
function drawingOf(error: unknown): JSX.Element {
  return error instanceof Unreachable ? <NoReceptionDrawing /> : <CalendarDrawing />;
}
