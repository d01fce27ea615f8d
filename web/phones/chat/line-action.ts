/** What a button of a message or an area of a rich menu does. */
export type Action =
  | { kind: "open"; label: string; uri: string }
  | { kind: "say"; label: string; text: string }
  | { kind: "postback"; label: string; data: string };

/** Reads a LINE action object; null for the kinds that this page cannot act out (camera, date picker and so on). */
export function actionOf(value: unknown): Action | null {
  if (typeof value !== "object" || value === null) return null;
  const { type, label, text, uri, data, displayText } = value as Record<string, unknown>;
  if (type === "uri" && typeof uri === "string") return { kind: "open", label: shown(label, uri), uri };
  if (type === "message" && typeof text === "string") return { kind: "say", label: shown(label, text), text };
  if (type === "postback" && typeof data === "string") {
    return { kind: "postback", label: shown(label, shown(displayText, data)), data };
  }
  return null;
}

function shown(label: unknown, otherwise: string): string {
  return typeof label === "string" && label !== "" ? label : otherwise;
}

/** All actions anywhere inside a Flex container, in reading order. */
export function actionsWithin(container: unknown): Action[] {
  if (typeof container !== "object" || container === null) return [];
  if (Array.isArray(container)) return container.flatMap(actionsWithin);
  return Object.entries(container).flatMap(([name, value]) => {
    const action = name === "action" ? actionOf(value) : null;
    return action ? [action] : actionsWithin(value);
  });
}
