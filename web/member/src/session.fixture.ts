import { vi } from "vitest";
import { ApiError } from "../../api/errors";
import { Outbox } from "./answers/outbox";
import { Sender } from "./answers/sender";
import { EVENT_ANSWERS } from "./events/answers/event-answers";
import { EventRows } from "./events/event-rows";
import type { Session } from "./session";
import { THREAD_ANSWERS } from "./threads/answers/thread-answers";
import { ThreadRows } from "./threads/thread-rows";
import type { EventDetail } from "./events/shapes";

export const EVENT: EventDetail = {
  id: 7,
  title: "秋の総会",
  held_at: "2099-09-10T19:00:00+09:00",
  body: "出欠のご回答をお願いします。",
  image_preview_url: null,
  image_url: null,
  extra_text: { enabled: true, label: "備考", attend_only: true },
  my_status: "pending",
  my_last_extra_text: null,
  my_responded_at: null,
  my_name: "山田太郎",
  cancelled: false,
  cancel_reason: null,
  deadline_at: null,
  over: false,
  closed: false,
  place: null,
  end_at: null,
  calendar_url: "https://a.test/7.ics?key=k",
};

export function refusal(status: number, code: string): ApiError {
  return new ApiError(status, code, code, [], "request-1", null);
}

/** A session whose server answers each path with what is given: a value, or an error to throw. */
export function sessionOf(answers: Record<string, unknown>, post = vi.fn()): Session {
  const get = vi.fn(async (path: string) => {
    const answer = answers[path];
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const session = {
    identity: { idToken: "t", userId: "U1", displayName: "山田 太郎", pictureUrl: null },
    adapter: { lineUrl: () => null, login: null },
    client: { get, post },
    pages: ["events"],
    hasStaffPortal: false,
    answers: new Sender((eventId, answer) => post("respond", eventId, answer), new Outbox(EVENT_ANSWERS, "U1", localStorage)),
    events: new EventRows(),
    threadAnswers: new Sender((threadId, answer) => post("respond", threadId, answer), new Outbox(THREAD_ANSWERS, "U1", localStorage)),
    threads: new ThreadRows(),
  };
  return session as unknown as Session;
}
