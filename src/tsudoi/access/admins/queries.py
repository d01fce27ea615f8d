from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row, select

from tsudoi.access.admins.errors import NoSuchAdmin
from tsudoi.access.admins.models import AdminUser, TrustedDevice
from tsudoi.access.admins.schemas import AdminList, AdminName
from tsudoi.access.second_factor.queries import owners
from tsudoi.core import sessions
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.models import Session
from tsudoi.core.names import name_key
from tsudoi.core.tokens import token_hash


@dataclass(frozen=True, slots=True)
class AdminAccount:
    """An administrator who is not disabled, and what the password is checked against."""

    admin_id: int
    username: str
    password_hash: str
    # A one-time password that nobody has used in time opens nothing any more.
    password_too_old: bool


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A valid session of an administrator in a browser, or a valid token of a program."""

    id: str
    kind: str
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None
    # What the session remembers: `address`, `device` in words, `device_hash` and, of a token, `label`.
    data: dict[str, str | None]


@dataclass(frozen=True, slots=True)
class AccountState:
    """An administrator as the screen and `tsudoi admin list` show one."""

    admin_id: int
    username: str
    created_at: datetime
    disabled_at: datetime | None
    one_time_until: datetime | None
    has_totp: bool
    open: list[OpenSession]

    @property
    def sessions(self) -> int:
        return sum(one.kind == sessions.ADMIN for one in self.open)

    @property
    def tokens(self) -> int:
        return sum(one.kind == sessions.TOKEN for one in self.open)

    @property
    def last_used_at(self) -> datetime | None:
        return max((one.last_used_at for one in self.open if one.last_used_at), default=None)


def account(tx: ReadTx, username: str, *, lock: bool = False) -> AdminAccount | None:
    """None for an unknown or disabled name. `lock`: nobody can disable the account before the commit."""
    statement = _ACCOUNTS.where(AdminUser.username == username)
    row = tx.execute(statement.with_for_update(read=True) if lock else statement).first()
    return None if row is None else _account_of(tx, row)


def typed_account(tx: ReadTx, typed: str) -> AdminAccount | None:
    """Whose name somebody typed: a telephone writes a capital and a space, and a Japanese keyboard full-width letters.

    Older names may differ in just that, so the name as it is written comes first, and what could be two is nobody. All
    rows are read for every name, so that a known one takes as long as an unknown one; there are few administrators.
    """
    rows = tx.execute(_ACCOUNTS).all()
    key = name_key(typed, nfkc=True)
    found = [row for row in rows if row.username == typed]
    found = found or [row for row in rows if name_key(row.username, nfkc=True) == key]
    return _account_of(tx, found[0]) if len(found) == 1 else None


_ACCOUNTS = select(AdminUser.id, AdminUser.username, AdminUser.password_hash, AdminUser.one_time_until).where(
    AdminUser.disabled_at.is_(None)
)


def _account_of(tx: ReadTx, row: Row[tuple[int, str, str, datetime | None]]) -> AdminAccount:
    too_old = row.one_time_until is not None and row.one_time_until <= tx.now
    return AdminAccount(row.id, row.username, row.password_hash, too_old)


def names(tx: ReadTx) -> AdminList:
    rows = tx.execute(select(AdminUser.id, AdminUser.username).order_by(AdminUser.id))
    return AdminList(items=[AdminName(id=row.id, username=row.username) for row in rows])


def states(tx: ReadTx) -> list[AccountState]:
    """Every administrator, the oldest first, with the valid sessions and tokens, the newest first."""
    having_totp, opened = owners(tx), _open_sessions(tx)
    return [
        AccountState(
            row.id,
            row.username,
            row.created_at,
            row.disabled_at,
            row.one_time_until,
            row.id in having_totp,
            opened.get(str(row.id), []),
        )
        for row in tx.execute(select(AdminUser).order_by(AdminUser.id))
    ]


def state_of(tx: ReadTx, admin_id: int) -> AccountState:
    """Administrators are few, so that one is found among all."""
    found = next((state for state in states(tx) if state.admin_id == admin_id), None)
    if found is None:
        raise NoSuchAdmin(str(admin_id))
    return found


def username_of(tx: ReadTx, admin_id: int) -> str:
    found: str | None = tx.scalar(select(AdminUser.username).where(AdminUser.id == admin_id))
    if found is None:
        raise NoSuchAdmin(str(admin_id))
    return found


def _open_sessions(tx: ReadTx) -> dict[str, list[OpenSession]]:
    found: dict[str, list[OpenSession]] = defaultdict(list)
    live = (Session.revoked_at.is_(None), Session.expires_at > tx.now)
    kinds = Session.kind.in_((sessions.ADMIN, sessions.TOKEN))
    for row in tx.execute(select(Session).where(kinds, *live).order_by(Session.created_at.desc(), Session.id_hash)):
        one = OpenSession(row.id_hash, row.kind, row.created_at, row.expires_at, row.last_used_at, row.data)
        found[row.subject].append(one)
    return found


def device_hash_of(tx: ReadTx, session_id: str) -> str | None:
    """The trusted device on which this session was opened. Tokens of programs and older sessions have none."""
    data: dict[str, str | None] | None = tx.scalar(select(Session.data).where(Session.id_hash == session_id))
    return (data or {}).get("device_hash")


def is_trusted_device(tx: ReadTx, admin_id: int, device_token: str) -> bool:
    found = select(TrustedDevice.admin_id).where(
        TrustedDevice.token_hash == token_hash(device_token), TrustedDevice.admin_id == admin_id
    )
    return tx.scalar(found) is not None


def knows_device(tx: ReadTx, username: str, device_token: str) -> bool:
    """Whether the administrator of this name has logged in on this device before."""
    found = account(tx, username)
    return found is not None and is_trusted_device(tx, found.admin_id, device_token)
