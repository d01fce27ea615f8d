/** The JSON of the sandbox's control API, as far as this page reads it. */

export interface SandboxConfig {
  liff_id: string;
  liff_base: string;
  account: { name: string; picture_url?: string | null };
  product_url: string;
}

export interface Person {
  user_id: string;
  display_name: string;
  picture_url?: string | null;
  following: boolean;
  blocked: boolean;
  unread: number;
  last_message: { text: string; at: string } | null;
}

/** A LINE message object. Only its type is certain, so that a new kind of message never breaks the page. */
export interface LineMessage {
  type: string;
  [property: string]: unknown;
}

export interface ChatMessage {
  id: string;
  from: "account" | "user";
  at: string;
  read: boolean;
  message: LineMessage;
}

/** What the product answered to a webhook: `status` is null when no answer came within two seconds. */
export interface WebhookAnswer {
  event_id?: string;
  status: number | null;
  error?: string | null;
}

export interface RichMenuArea {
  bounds: { x: number; y: number; width: number; height: number };
  action: Record<string, unknown>;
}

export interface RichMenu {
  size: { width: number; height: number };
  selected?: boolean;
  name?: string;
  chatBarText?: string;
  areas: RichMenuArea[];
  image_url: string;
}

export interface Call {
  n: number;
  at: string;
  direction: "in" | "out";
  method: string;
  path: string;
  status: number | null;
  ms: number;
  note?: string | null;
}

/** How far "everybody answers" is. `people` is how many were to answer; who failed stands in the list of calls. */
export interface AnswersProgress {
  running: boolean;
  stopped: boolean;
  people: number;
  attend: number;
  absent: number;
  failed: number;
}

export interface FaultRule {
  id: string;
  kind: string;
  endpoint: string;
  percent?: number;
  seconds?: number | null;
  times?: number | null;
  seed?: number;
}

/** The month's messages. Without a limit there is no `value`. */
export interface Quota {
  type: "none" | "limited";
  value?: number;
  total_usage: number;
}
