// The API client of the phone pages: small, because every byte of it is loaded on a phone.
import { apiError, Unreachable } from "../api/errors";
import type { Answer, Body, PathsOf } from "../api/shapes";

const TIME_OUT_MS = 15_000;

export type Fetch = typeof fetch;
type PathParameters = Record<string, string | number>;

export interface ApiRequest {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeOutMs?: number;
}

/**
 * Typed requests to the product's API without any identity. An application that has one extends this class: it
 * overrides `request` to add its headers, and to open a session when the server asks for one.
 */
export class ApiClient {
  constructor(private readonly fetch: Fetch = (...args) => window.fetch(...args)) {}

  get<P extends PathsOf<"get">>(path: P, ids: PathParameters = {}): Promise<Answer<P, "get">> {
    return this.request({ method: "GET", path: fillPath(path, ids) });
  }

  post<P extends PathsOf<"post">>(
    path: P,
    body: Body<P, "post">,
    ids: PathParameters = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<P, "post">> {
    return this.request({ method: "POST", path: fillPath(path, ids), body, headers });
  }

  protected request<T>(request: ApiRequest): Promise<T> {
    return this.send<T>(request);
  }

  /** One round trip. It rejects with `ApiError` when the server refused and with `Unreachable` when no answer came. */
  protected async send<T>(request: ApiRequest): Promise<T> {
    const response = await this.responseTo(request);
    return (response.status === 204 ? undefined : await jsonOf(response)) as T;
  }

  /** As `send`, for an answer that is not JSON. */
  protected async responseTo({ method, path, body, headers, timeOutMs = TIME_OUT_MS }: ApiRequest): Promise<Response> {
    const init = {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const response = await this.reach(path, init, timeOutMs);
    if (!response.ok) throw apiError(response, await jsonOf(response));
    return response;
  }

  private async reach(path: string, init: RequestInit, timeOutMs: number): Promise<Response> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeOutMs);
    try {
      return await this.fetch(path, { ...init, credentials: "same-origin", signal: deadline.signal });
    } catch (cause) {
      throw new Unreachable(cause);
    } finally {
      clearTimeout(timer);
    }
  }
}

function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

/** `/api/liff/events/{event_id}` with `{ event_id: 7 }` is `/api/liff/events/7`. */
function fillPath(path: string, ids: PathParameters): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ids[name])));
}
