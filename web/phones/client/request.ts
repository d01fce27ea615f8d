/** A call to the sandbox that did not work out, with a sentence that may be shown as it is. */
export class SandboxFailure extends Error {
  constructor(
    message: string,
    readonly status: number | null,
  ) {
    super(message);
  }
}

const PATIENCE_MS = 10_000;

export async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const init: RequestInit = { method, signal: AbortSignal.timeout(PATIENCE_MS), cache: "no-store" };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "content-type": "application/json" };
  }
  const response = await reach(`/_sandbox${path}`, init);
  const text = await response.text();
  if (!response.ok) throw new SandboxFailure(reasonIn(text, response.status), response.status);
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}

async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch {
    throw new SandboxFailure("練習場のサーバーから返事がありません。動いているか確かめてください。", null);
  }
}

function reasonIn(text: string, status: number): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === "string" && message !== "") return `練習場に断られました（${status}）：${message}`;
  } catch {
    // Not JSON: the status says all there is to say.
  }
  return `練習場のサーバーがエラーを返しました（${status}）。`;
}

export function sentenceFor(failure: unknown): string {
  return failure instanceof SandboxFailure ? failure.message : "うまくいきませんでした。もう一度お試しください。";
}
