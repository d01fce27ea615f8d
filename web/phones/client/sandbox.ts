import { request } from "./request";
import type {
  AnswersProgress,
  Call,
  ChatMessage,
  FaultRule,
  Person,
  Quota,
  RichMenu,
  SandboxConfig,
  WebhookAnswer,
} from "./types";

/** What a person can do to the friendship with the account. */
export type FriendshipStep = "follow" | "block" | "unblock";

interface WithWebhook {
  webhook?: WebhookAnswer | null;
}

const ofPerson = (userId: string, what = "") => `/users/${encodeURIComponent(userId)}${what}`;

/** The sandbox's control API, one function per call. */
export const sandbox = {
  config: () => request<SandboxConfig>("GET", "/config"),
  people: async () => (await request<{ users: Person[] }>("GET", "/users")).users,
  richMenu: async () => (await request<{ rich_menu: RichMenu | null }>("GET", "/rich_menu")).rich_menu,
  calls: async () => (await request<{ calls: Call[] }>("GET", "/calls?after=0")).calls,
  now: async () => Date.parse((await request<{ now: string }>("GET", "/clock")).now),
  chat: async (userId: string) =>
    (await request<{ messages: ChatMessage[] }>("GET", ofPerson(userId, "/chat"))).messages,

  addPerson: (name: string) => request<Person>("POST", "/users", { display_name: name }),
  rename: (userId: string, name: string) => request<unknown>("PATCH", ofPerson(userId), { display_name: name }),
  friendship: (userId: string, step: FriendshipStep) => request<WithWebhook>("POST", ofPerson(userId, `/${step}`)),
  say: (userId: string, text: string) => request<WithWebhook>("POST", ofPerson(userId, "/messages"), { text }),
  postback: (userId: string, data: string) => request<WithWebhook>("POST", ofPerson(userId, "/postbacks"), { data }),

  answers: () => request<AnswersProgress>("GET", "/answers"),
  startAnswers: (wish: { share: number; seconds: number }) =>
    request<{ people: number; invited: number }>("POST", "/answers", wish),
  stopAnswers: () => request<void>("DELETE", "/answers"),
  faults: async () => (await request<{ rules: FaultRule[] }>("GET", "/faults")).rules,
  setFaults: (rules: FaultRule[]) => request<unknown>("PUT", "/faults", { rules }),
  clearFaults: () => request<void>("DELETE", "/faults"),
  quota: () => request<Quota>("GET", "/quota"),
  setQuota: (quota: { type: "none" } | { type: "limited"; value: number }) => request<Quota>("PUT", "/quota", quota),

  markRead: (userId: string) => request<void>("POST", ofPerson(userId, "/read")),
};
