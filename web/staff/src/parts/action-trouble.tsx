import type { JSX } from "preact";
import { ApiError, Unreachable } from "../../../api/errors";
import type { ActionState } from "./use-action";
import { isDecided } from "./use-action";

/** What a failed request says. Where it is not known whether it arrived, trying again is safe, and it says so. */
export function troubleText(error: unknown): string {
  if (error instanceof Unreachable) return "返事が届きませんでした。もう一度押してください。二重になることはありません。";
  if (!(error instanceof ApiError)) return "うまくいきませんでした。もう一度お試しください。";
  if (error.status === 429) return "短い時間に何度も押されました。1分ほど待ってから、もう一度押してください。";
  if (!isDecided(error)) return "サーバーが混み合っているか、再起動中です。少し待ってから、もう一度押してください。二重になることはありません。";
  return error.message;
}

/** Stands next to the button that failed, and is read out. */
export function ActionTrouble({ state, hidden = false }: { state: ActionState; hidden?: boolean }): JSX.Element {
  return <div role="alert">{state.kind === "failed" && !hidden && <p class="say say-bad">{troubleText(state.error)}</p>}</div>;
}
