import type { LineMessage } from "../client/types";
import { type Action, actionOf, actionsWithin } from "./line-action";

export interface Card {
  title: string;
  text: string;
  actions: Action[];
}

/** What a bubble shows. Every LINE message becomes one of these, also the kinds that nobody here has met yet. */
export type Bubble =
  | { kind: "text"; text: string }
  | { kind: "image"; original: string; preview: string }
  | { kind: "cards"; cards: Card[] }
  | { kind: "note"; text: string };

const NOTES: Record<string, string> = {
  sticker: "スタンプが届きました",
  video: "動画が届きました",
  audio: "音声が届きました",
  location: "位置情報が届きました",
  imagemap: "画像メニューが届きました",
};

export function bubbleOf(message: LineMessage): Bubble {
  switch (message.type) {
    case "text":
    case "textV2":
      return { kind: "text", text: textOf(message["text"]) };
    case "image":
      return imageOf(message);
    case "flex":
      return { kind: "cards", cards: [flexCard(message)] };
    case "template":
      return { kind: "cards", cards: templateCards(message) };
    default:
      return { kind: "note", text: textOf(message["altText"]) || (NOTES[message.type] ?? `${message.type} が届きました`) };
  }
}

function imageOf(message: LineMessage): Bubble {
  const original = textOf(message["originalContentUrl"]);
  return { kind: "image", original, preview: textOf(message["previewImageUrl"]) || original };
}

function flexCard(message: LineMessage): Card {
  return { title: "", text: textOf(message["altText"]), actions: actionsWithin(message["contents"]) };
}

function templateCards(message: LineMessage): Card[] {
  const template = record(message["template"]);
  const columns = Array.isArray(template["columns"]) ? template["columns"].map(record) : [template];
  return columns.map((column) => cardOf(column, textOf(message["altText"])));
}

function cardOf(column: Record<string, unknown>, altText: string): Card {
  const listed = Array.isArray(column["actions"]) ? column["actions"] : [column["action"]];
  const actions = listed.map(actionOf).filter((action) => action !== null);
  return { title: textOf(column["title"]), text: textOf(column["text"]) || altText, actions };
}

/** The buttons that LINE offers above the keyboard after the newest message. */
export function quickRepliesOf(message: LineMessage): Action[] {
  const items = record(message["quickReply"])["items"];
  return Array.isArray(items) ? items.map((item) => actionOf(record(item)["action"])).filter((one) => one !== null) : [];
}

/** One line for lists and for the screen reader. */
export function summaryOf(message: LineMessage): string {
  const bubble = bubbleOf(message);
  if (bubble.kind === "image") return "画像が届きました";
  if (bubble.kind === "cards") return bubble.cards[0]?.title || bubble.cards[0]?.text || "";
  return bubble.text;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
