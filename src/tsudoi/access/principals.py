"""Authentication: one class for each kind of caller.

A request is checked in two steps. `read_credentials` reads its cookies and headers and needs no database.
`authenticate` looks the credentials up inside a transaction, together with the state of the account behind them.

To add a principal: write a subclass of `Principal` (here, or in a context's `principals.py` where its account is a
table of that context, as `roster/principals.py` does), and a line `…Dep` for ordinary routes (`access/guard.py`). A
`TransactionRoute` needs no such line: there a function takes the principal as a parameter of its class.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, Self

from fastapi import Header
from starlette.requests import Request

from tsudoi.access.cookies import cookie_name
from tsudoi.access.errors import (
    BrowserOnly,
    CrossSite,
    IdentityMismatch,
    NoLiffSession,
    PasswordChangeRequired,
    TotpSetupRequired,
    WrongCsrfToken,
)
from tsudoi.core import sessions
from tsudoi.core.clock import parse_text, utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.errors import Forbidden, Unauthenticated, UnsupportedMediaType
from tsudoi.core.settings import Settings
from tsudoi.core.tokens import same, token_hash

ADMIN_COOKIE = "tsudoi_admin"
LIFF_COOKIE = "tsudoi_liff"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")

# A use of a session is written down at most once in this time.
USE_NOTED_EVERY = timedelta(minutes=1)
# What an administrator has to do first, before anything else is allowed.
NextStep = Literal["password", "totp"]

# Reads the account together with the session, so that a deleted or disabled account cannot use an unexpired token.
_ADMIN = RawSql(
    """SELECT a.id, a.username, s.last_used_at, a.one_time_until, t.admin_id
    FROM sessions s JOIN admin_users a ON a.id = CAST(s.subject AS BIGINT)
    LEFT JOIN admin_totps t ON t.admin_id = a.id AND t.confirmed_at IS NOT NULL
    WHERE s.id_hash = :id_hash AND s.kind = :kind AND s.revoked_at IS NULL AND s.expires_at > :now
      AND a.disabled_at IS NULL"""
)


@dataclass(frozen=True, slots=True)
class Credentials:
    """The credentials in a request, before the database has confirmed them."""

    session_kind: str
    token: str
    # The user id that a header names, if there is one; it must agree with the session.
    claimed_user_id: str | None = None
    has_csrf_token: bool = True
    # Whether the settings require a second factor for these credentials.
    needs_totp: bool = False


class Principal(ABC):
    """An authenticated caller."""

    __slots__ = ()

    # Headers of this principal that the API description shows, by parameter name.
    headers: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    credentials: Credentials

    @property
    @abstractmethod
    def actor(self) -> str:
        """How the audit trail names this principal."""

    @property
    @abstractmethod
    def rate_key(self) -> str:
        """A name that never changes: for rate limits, and for the keys of repeated requests."""

    @property
    def log_fields(self) -> dict[str, str]:
        """Fields that every log line of the request contains."""
        return {"principal": self.rate_key}

    @classmethod
    @abstractmethod
    def read_credentials(cls, request: Request, settings: Settings) -> Credentials:
        """Read the credentials. Raises an error when they cannot belong to this kind of principal."""

    @classmethod
    @abstractmethod
    def authenticate(cls, tx: ReadTx, credentials: Credentials) -> Self:
        """Look up the principal. Raises 401 when there is none, or when the session has ended."""


@dataclass(frozen=True, slots=True)
class AdminSession(Principal):
    """An administrator, by cookie (every write then needs the CSRF token too) or by bearer token.

    After a log-in a step may be left (`next_step`): then this principal may do that step, and nothing else.
    """

    headers = MappingProxyType(
        {
            "x_csrf_token": Annotated[
                str | None, Header(description="The token given at log-in; needed for every write.")
            ]
        }
    )
    # Whether programs with a bearer token may come in, and people who have not finished their log-in.
    takes_bearer: ClassVar[bool] = True
    takes_unfinished: ClassVar[bool] = True

    admin_id: int
    username: str
    credentials: Credentials
    next_step: NextStep | None = None
    # Whether it is time to write down that the session is used.
    use_due: bool = False

    @property
    def actor(self) -> str:
        return f"admin:{self.username}"

    @property
    def rate_key(self) -> str:
        return f"admin:{self.admin_id}"

    @property
    def by_cookie(self) -> bool:
        return self.credentials.session_kind == sessions.ADMIN

    @property
    def csrf_token(self) -> str | None:
        """The token for this session's writes; None for a bearer token, which needs none."""
        return sessions.csrf_token(self.credentials.token) if self.by_cookie else None

    @classmethod
    def read_credentials(cls, request: Request, settings: Settings) -> Credentials:
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return Credentials(sessions.TOKEN, bearer.strip())
        require_same_origin(request, settings)
        token = request.cookies.get(cookie_name(settings, ADMIN_COOKIE), "")
        if not token:
            raise Unauthenticated
        given = request.headers.get("x-csrf-token", "")
        return Credentials(
            sessions.ADMIN,
            token,
            has_csrf_token=request.method in SAFE_METHODS or same(given, sessions.csrf_token(token)),
            needs_totp=settings.admin_totp == "required",
        )

    @classmethod
    def authenticate(cls, tx: ReadTx, credentials: Credentials) -> Self:
        given = {"id_hash": token_hash(credentials.token), "kind": credentials.session_kind, "now": utc_text(tx.now)}
        found = _ADMIN.first(tx, given)
        if found is None:
            raise Unauthenticated
        if not credentials.has_csrf_token:
            raise WrongCsrfToken
        admin_id, username, last_used_at, one_time_until, totp_of = found
        by_cookie = credentials.session_kind == sessions.ADMIN
        if not by_cookie and not cls.takes_bearer:
            raise BrowserOnly
        step = _next_step(credentials, one_time_until, totp_of) if by_cookie else None
        if step is not None and not cls.takes_unfinished:
            raise PasswordChangeRequired if step == "password" else TotpSetupRequired
        use_due = last_used_at is None or parse_text(last_used_at) <= tx.now - USE_NOTED_EVERY
        return cls(admin_id, username, credentials, step, use_due)


def _next_step(credentials: Credentials, one_time_until: str | None, totp_of: int | None) -> NextStep | None:
    if one_time_until is not None:
        return "password"
    return "totp" if credentials.needs_totp and totp_of is None else None


@dataclass(frozen=True, slots=True)
class Admin(AdminSession):
    """An administrator whose log-in is finished: the office, and the programs that act for it."""

    takes_unfinished = False


@dataclass(frozen=True, slots=True)
class AccountOwner(AdminSession):
    """An administrator in a browser, at the own account. A stolen bearer token must not change its password."""

    takes_bearer = False


@dataclass(frozen=True, slots=True)
class AccountManager(Admin):
    """An administrator in a browser who manages the accounts of all administrators."""

    takes_bearer = False


@dataclass(frozen=True, slots=True)
class Visitor(Principal):
    """A LINE user who opened the member pages inside LINE. The roster decides whether this is a member."""

    headers = MappingProxyType(
        {
            "x_line_user_id": Annotated[
                str | None,
                Header(
                    description="The caller's LINE user id. It must agree with the session and proves nothing alone."
                ),
            ]
        }
    )

    user_id: str
    display_name: str | None
    picture_url: str | None
    credentials: Credentials

    @property
    def actor(self) -> str:
        return f"line:{self.user_id}"

    @property
    def rate_key(self) -> str:
        return f"line:{self.user_id}"

    @classmethod
    def read_credentials(cls, request: Request, settings: Settings) -> Credentials:
        require_same_origin(request, settings)
        require_json(request)
        token = request.cookies.get(cookie_name(settings, LIFF_COOKIE), "")
        if not token:
            raise NoLiffSession
        return Credentials(sessions.LIFF, token, claimed_user_id=request.headers.get("x-line-user-id"))

    @classmethod
    def authenticate(cls, tx: ReadTx, credentials: Credentials) -> Self:
        found = sessions.find_session(tx, sessions.LIFF, credentials.token)
        if found is None:
            raise NoLiffSession
        if credentials.claimed_user_id not in (None, found.subject):
            raise IdentityMismatch
        return cls(found.subject, found.data.get("display_name"), found.data.get("picture_url"), credentials)


def still_allowed(tx: ReadTx, principal: Principal) -> bool:
    """Whether the session is still valid, for requests that last long, such as a live stream."""
    try:
        principal.authenticate(tx, principal.credentials)
    except (Unauthenticated, Forbidden):
        return False
    return True


def require_same_origin(request: Request, settings: Settings) -> None:
    """Refuse a write that a page of another site sent. Browsers report the origin of a request."""
    if request.method in SAFE_METHODS:
        return
    headers = request.headers
    origin = headers.get("origin")
    if headers.get("sec-fetch-site") == "cross-site":
        raise CrossSite
    if origin is not None:
        # The configured origin, or the host of the request. With https, plain http is not accepted.
        host = headers.get("host", "")
        plain = () if settings.https else (f"http://{host}",)
        if origin not in (settings.origin, f"https://{host}", *plain):
            raise CrossSite


def has_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers


def require_json(request: Request) -> None:
    """Require JSON, because a form on another site can post text and forms, but not JSON, without a CORS check."""
    if request.method in SAFE_METHODS:
        return
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise UnsupportedMediaType("JSON（application/json）で送ってください。")
