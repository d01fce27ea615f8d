import { answerOf } from "./client";

/** Saves the file of a response (asked for with `parseAs: "blob"`) under the server's name for it. */
export async function saveAnswer(answer: Promise<{ data?: unknown; error?: unknown; response: Response }>, otherwise: string): Promise<void> {
  const file = (await answerOf(answer)) as Blob;
  save(file, fileName((await answer).response.headers.get("content-disposition")) ?? otherwise);
}

export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the file after this returns.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The name for people (`filename*`) before the plain one. */
function fileName(disposition: string | null): string | null {
  const spelled = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  if (spelled) return decodeURIComponent(spelled);
  return /filename="([^"]+)"/i.exec(disposition ?? "")?.[1] ?? null;
}
