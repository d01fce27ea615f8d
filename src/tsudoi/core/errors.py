"""Errors that are reported to the caller.

Code raises these or its own subclasses; only `access/rendering.py` turns them into HTTP responses.
Messages are Japanese because people read them; codes and reasons are for programs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tsudoi.core.error_words import sentences


@dataclass(frozen=True, slots=True)
class Detail:
    """A field that is wrong, and why."""

    field: str
    reason: str


class Problem(Exception):
    """Base of our errors. A subclass may carry more, for a context that writes its errors in its own shape."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "INTERNAL"
    default_message: ClassVar[str] = "サーバーで予期しない問題が起きました。時間をおいてもう一度お試しください。"

    def __init__(
        self, message: str | None = None, details: Sequence[Detail] = (), headers: Mapping[str, str] | None = None
    ) -> None:
        self.message = message or self.default_message
        self.details = tuple(details)
        self.headers = dict(headers or {})
        super().__init__(f"{self.code}: {self.message}")


class InvalidInput(Problem):
    """The input is wrong; `details` names each field, and the message says it in words."""

    status = 400
    code = "INVALID_INPUT"
    default_message = "入力内容に誤りがあります。"

    def __init__(
        self, message: str | None = None, details: Sequence[Detail] = (), headers: Mapping[str, str] | None = None
    ) -> None:
        # A subclass that says what is wrong itself knows better than the words for a reason.
        says_itself = self.default_message != InvalidInput.default_message
        super().__init__(message or (None if says_itself else sentences(details) or None), details, headers)


class Unauthenticated(Problem):
    """The caller is not logged in, or the session has ended."""

    status = 401
    code = "UNAUTHENTICATED"
    default_message = "ログインが必要です。"


class Forbidden(Problem):
    """The caller is known and may not do this."""

    status = 403
    code = "FORBIDDEN"
    default_message = "この操作は許可されていません。"


class NotFound(Problem):
    """What the caller asks for does not exist."""

    status = 404
    code = "NOT_FOUND"
    default_message = "見つかりません。"


class MethodNotAllowed(Problem):
    """The address exists, but not for this method."""

    status = 405
    code = "METHOD_NOT_ALLOWED"
    default_message = "このURLではその操作を受け付けていません。"


class Conflict(Problem):
    """The request conflicts with the current state, or with what somebody else did."""

    status = 409
    code = "CONFLICT"
    default_message = "ほかの操作と重なりました。画面を読み込み直してから、もう一度お試しください。"


class ChangedMeanwhile(Conflict):
    """Somebody else has changed the data since the caller's screen was loaded."""

    code = "CHANGED_MEANWHILE"
    default_message = "ほかの人が、先に変更しました。画面を読み込み直してから、もう一度お試しください。"


class TooLarge(Problem):
    """The body is longer than allowed."""

    status = 413
    code = "TOO_LARGE"
    default_message = "送られたデータが大きすぎます。"


class UnsupportedMediaType(Problem):
    """The body has another format than the one that is expected."""

    status = 415
    code = "UNSUPPORTED_MEDIA_TYPE"
    default_message = "送られたデータの形式に対応していません。"


class PreconditionRequired(Problem):
    """Something else has to be done first, such as changing a PIN that everybody knows."""

    status = 428
    code = "PRECONDITION_REQUIRED"
    default_message = "先に必要な手続きがあります。"


class RateLimited(Problem):
    """Too many requests; `Retry-After` says when to come back."""

    status = 429
    code = "RATE_LIMITED"
    default_message = "操作の回数が多すぎます。しばらくしてからもう一度お試しください。"

    def __init__(self, retry_after_seconds: int, message: str | None = None) -> None:
        super().__init__(message, headers={"Retry-After": str(retry_after_seconds)})
        self.retry_after_seconds = retry_after_seconds


class Unavailable(Problem):
    """The request cannot be done now. Nothing was changed."""

    status = 503
    code = "UNAVAILABLE"
    default_message = "ただいま処理できません。データは変更されていません。少し待ってからもう一度お試しください。"

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message, headers={"Retry-After": "5"})


class DatabaseUnavailable(Unavailable):
    """The database cannot work now. The caller may try again with the same idempotency key."""
