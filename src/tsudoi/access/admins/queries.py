from dataclasses import dataclass

from sqlalchemy import select

from tsudoi.access.admins.models import AdminUser, TrustedDevice
from tsudoi.access.admins.schemas import AdminList, AdminName
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.tokens import token_hash


@dataclass(frozen=True, slots=True)
class Credentials:
    admin_id: int
    username: str
    password_hash: str


def credentials(tx: ReadTx, username: str) -> Credentials | None:
    row = tx.execute(
        select(AdminUser.id, AdminUser.username, AdminUser.password_hash).where(AdminUser.username == username)
    ).first()
    return None if row is None else Credentials(row.id, row.username, row.password_hash)


def names(tx: ReadTx) -> AdminList:
    rows = tx.execute(select(AdminUser.id, AdminUser.username).order_by(AdminUser.id))
    return AdminList(items=[AdminName(id=row.id, username=row.username) for row in rows])


def is_trusted_device(tx: ReadTx, admin_id: int, device_token: str) -> bool:
    found = select(TrustedDevice.admin_id).where(
        TrustedDevice.token_hash == token_hash(device_token), TrustedDevice.admin_id == admin_id
    )
    return tx.scalar(found) is not None
