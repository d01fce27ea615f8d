"""What a client is told whose connection is ended before any endpoint has seen a request."""

from http import HTTPStatus

from tsudoi.access.rendering import STANDARD_ERRORS
from tsudoi.core.errors import Problem, Unavailable


class UnreadableRequest(Problem):
    """The bytes are no HTTP request."""

    status = 400
    code = "UNREADABLE_REQUEST"
    default_message = "リクエストを読み取れませんでした。"


class RequestTooSlow(Problem):
    """The client takes too long to send its request."""

    status = 408
    code = "REQUEST_TOO_SLOW"
    default_message = "リクエストの送信に時間がかかりすぎました。もう一度お試しください。"


class HeadTooLarge(Problem):
    """The request line and the headers are longer than allowed, or one line of them is."""

    status = 431
    code = "HEADERS_TOO_LARGE"
    default_message = "リクエストのヘッダーが大きすぎます。ブラウザーのCookieを削除してから、もう一度お試しください。"


class TooManyConnections(Unavailable):
    """Every connection that we may have is in use by a request."""

    code = "TOO_MANY_CONNECTIONS"
    default_message = "ただいまアクセスが集中しています。少し待ってからもう一度お試しください。"


def response_bytes(problem: Problem, more: list[tuple[bytes, bytes]]) -> bytes:
    """A whole HTTP response that says so, in the documented shape. The connection ends after it."""
    body = STANDARD_ERRORS.render(problem)
    headers = {
        **{name.decode(): value.decode() for name, value in more},
        **problem.headers,
        "content-type": "application/json",
        "content-length": str(len(body)),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "connection": "close",
    }
    head = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*head, "", ""]).encode() + body
