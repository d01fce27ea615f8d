from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, func, select

from tsudoi.access.admins.models import AdminUser, TrustedDevice
from tsudoi.access.admins.schemas import AdminList, AdminName
from tsudoi.core import sessions
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.models import Session
from tsudoi.core.tokens import token_hash


@dataclass(frozen=True, slots=True)
class AdminAccount:
    """An administrator who may log in, and what the password is checked against."""

    admin_id: int
    username: str
    password_hash: str


@dataclass(frozen=True, slots=True)
class AccountState:
    """An administrator as `tsudoi admin list` shows one."""

    username: str
    created_at: datetime
    disabled_at: datetime | None
    sessions: int
    tokens: int


def account(tx: ReadTx, username: str, *, lock: bool = False) -> AdminAccount | None:
    """None for an unknown or disabled name. `lock`: nobody can disable the account before the commit."""
    statement = select(AdminUser.id, AdminUser.username, AdminUser.password_hash).where(
        AdminUser.username == username, AdminUser.disabled_at.is_(None)
    )
    row = tx.execute(statement.with_for_update(read=True) if lock else statement).first()
    return None if row is None else AdminAccount(row.id, row.username, row.password_hash)


def names(tx: ReadTx) -> AdminList:
    rows = tx.execute(select(AdminUser.id, AdminUser.username).order_by(AdminUser.id))
    return AdminList(items=[AdminName(id=row.id, username=row.username) for row in rows])


def states(tx: ReadTx) -> list[AccountState]:
    """Every administrator, the oldest first, with the number of valid sessions and tokens."""
    live = and_(Session.revoked_at.is_(None), Session.expires_at > tx.now)
    counted = {
        (row.kind, row.subject): row.number
        for row in tx.execute(
            select(Session.kind, Session.subject, func.count().label("number"))
            .where(live, Session.kind.in_((sessions.ADMIN, sessions.TOKEN)))
            .group_by(Session.kind, Session.subject)
        )
    }
    return [
        AccountState(
            row.username,
            row.created_at,
            row.disabled_at,
            counted.get((sessions.ADMIN, str(row.id)), 0),
            counted.get((sessions.TOKEN, str(row.id)), 0),
        )
        for row in tx.execute(select(AdminUser).order_by(AdminUser.id))
    ]


def is_trusted_device(tx: ReadTx, admin_id: int, device_token: str) -> bool:
    found = select(TrustedDevice.admin_id).where(
        TrustedDevice.token_hash == token_hash(device_token), TrustedDevice.admin_id == admin_id
    )
    return tx.scalar(found) is not None


def knows_device(tx: ReadTx, username: str, device_token: str) -> bool:
    """Whether the administrator of this name has logged in on this device before."""
    found = account(tx, username)
    return found is not None and is_trusted_device(tx, found.admin_id, device_token)
