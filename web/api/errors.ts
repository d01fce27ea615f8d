// Every answer of the server that is no success has one body; here it becomes one error class.

export interface ErrorDetail {
  field: string;
  reason: string;
}

export interface ErrorBody {
  code: string;
  message: string;
  details: ErrorDetail[];
}

const UNREACHABLE_MESSAGE = "サーバーにつながりません。インターネットの接続を確かめて、もう一度お試しください。";
const UNEXPECTED_MESSAGE = "サーバーで問題が起きました。しばらくしてから、もう一度お試しください。";

/** The server answered, and said no. `message` is Japanese and may be shown as it is. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly ErrorDetail[],
    readonly requestId: string | null,
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
  }
}

/** No answer came at all: no network, the server is down, or it took too long. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  constructor(cause?: unknown) {
    super(UNREACHABLE_MESSAGE, { cause });
  }
}

function isErrorBody(value: unknown): value is Partial<ErrorBody> & { code: string } {
  return typeof value === "object" && value !== null && typeof (value as { code?: unknown }).code === "string";
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** Proxies in front of the server may answer with a page of their own, so the body is never trusted to be ours. */
export function apiError(response: Response, body: unknown): ApiError {
  const known = isErrorBody(body) ? body : null;
  return new ApiError(
    response.status,
    known?.code ?? "INTERNAL",
    known?.message || UNEXPECTED_MESSAGE,
    known?.details ?? [],
    response.headers.get("x-request-id"),
    retryAfter(response),
  );
}

/** Somebody else has changed it since this screen was loaded. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.code === "CHANGED_MEANWHILE";
}
