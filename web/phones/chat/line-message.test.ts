import { describe, expect, it } from "vitest";
import { bubbleOf, quickRepliesOf, summaryOf } from "./line-message";

describe("bubbleOf", () => {
  it("reads text and image messages", () => {
    expect(bubbleOf({ type: "text", text: "はい" })).toEqual({ kind: "text", text: "はい" });
    expect(bubbleOf({ type: "image", originalContentUrl: "http://a/o.jpg", previewImageUrl: "http://a/p.jpg" })).toEqual({
      kind: "image",
      original: "http://a/o.jpg",
      preview: "http://a/p.jpg",
    });
  });

  it("shows a Flex message by its alternative text and all its actions", () => {
    const bubble = bubbleOf({
      type: "flex",
      altText: "出欠のお願い",
      contents: {
        type: "bubble",
        body: { type: "box", contents: [{ type: "text", text: "総会", action: { type: "uri", uri: "http://a/" } }] },
        footer: { contents: [{ type: "button", action: { type: "postback", label: "出席", data: "yes" } }] },
      },
    });
    expect(bubble).toEqual({
      kind: "cards",
      cards: [
        {
          title: "",
          text: "出欠のお願い",
          actions: [
            { kind: "open", label: "http://a/", uri: "http://a/" },
            { kind: "postback", label: "出席", data: "yes" },
          ],
        },
      ],
    });
  });

  it("makes one card per column of a carousel and leaves out actions it cannot act out", () => {
    const bubble = bubbleOf({
      type: "template",
      altText: "二つの会",
      template: {
        type: "carousel",
        columns: [
          { title: "総会", text: "4月", actions: [{ type: "message", label: "行く", text: "行きます" }] },
          { text: "5月", actions: [{ type: "camera", label: "写真" }] },
        ],
      },
    });
    expect(bubble).toEqual({
      kind: "cards",
      cards: [
        { title: "総会", text: "4月", actions: [{ kind: "say", label: "行く", text: "行きます" }] },
        { title: "", text: "5月", actions: [] },
      ],
    });
  });

  it("has a sentence for every other kind", () => {
    expect(bubbleOf({ type: "sticker" })).toEqual({ kind: "note", text: "スタンプが届きました" });
    expect(bubbleOf({ type: "hologram" })).toEqual({ kind: "note", text: "hologram が届きました" });
  });

  it("survives messages that are not what they say", () => {
    expect(bubbleOf({ type: "text" })).toEqual({ kind: "text", text: "" });
    expect(bubbleOf({ type: "flex", contents: null })).toMatchObject({ cards: [{ text: "", actions: [] }] });
    expect(bubbleOf({ type: "template" })).toMatchObject({ kind: "cards" });
  });
});

describe("quickRepliesOf", () => {
  it("reads the actions, and nothing where there are none", () => {
    const quickReply = { items: [{ type: "action", action: { type: "message", label: "はい", text: "はい" } }] };
    expect(quickRepliesOf({ type: "text", text: "?", quickReply })).toEqual([{ kind: "say", label: "はい", text: "はい" }]);
    expect(quickRepliesOf({ type: "text", text: "?" })).toEqual([]);
  });
});

describe("summaryOf", () => {
  it("says in one line what arrived", () => {
    expect(summaryOf({ type: "image" })).toBe("画像が届きました");
    expect(summaryOf({ type: "flex", altText: "お願い" })).toBe("お願い");
  });
});
