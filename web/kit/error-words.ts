import { ApiError, Unreachable } from "../api/errors";

/** What an error screen says. */
export interface ErrorWords {
  title: string;
  text: string;
}

/** The words for what can happen to every request; an application says more about its own errors before it asks here. */
export function errorWords(error: unknown): ErrorWords {
  if (error instanceof Unreachable) {
    return { title: "つながりませんでした", text: "電波のよい場所で、もう一度お試しください。" };
  }
  if (error instanceof ApiError && error.code === "RATE_LIMITED") {
    return { title: "少しお待ちください", text: "短い時間に何度も開かれました。1分ほど待ってから、もう一度お試しください。" };
  }
  const text = error instanceof ApiError ? error.message : "しばらくしてから、もう一度お試しください。";
  return { title: "うまくいきませんでした", text };
}
