from sqlalchemy import Row, select

from tsudoi.booking.login.models import RefreshSession
from tsudoi.booking.pins.rules import own_key
from tsudoi.booking.staffs.models import StaffAccount, StaffDevice
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.tokens import token_hash


def device_key(tx: ReadTx, staff_id: str, device_token: str | None) -> str | None:
    """The key of the device's own count, if this person has logged in there before."""
    if not device_token:
        return None
    known = select(StaffAccount.staff_uid).join(StaffDevice, StaffDevice.staff_uid == StaffAccount.staff_uid)
    known = known.where(StaffAccount.staff_id == staff_id, StaffDevice.token_hash == token_hash(device_token))
    staff_uid: str | None = tx.scalar(known)
    return None if staff_uid is None else own_key(staff_uid, device_token)


def is_device(tx: ReadTx, device_token: str) -> bool:
    """Whether somebody has logged in on this device before."""
    found = select(StaffDevice.token_hash).where(StaffDevice.token_hash == token_hash(device_token)).limit(1)
    return tx.scalar(found) is not None


def session_for_refresh(tx: Tx, session_id: int, staff_uid: str) -> tuple[str, Row[tuple[RefreshSession]]] | None:
    """The status of the account and its session.

    The account is locked first, here and in every verb that revokes sessions: then parallel refreshes of one person
    run one after the other and cannot wait for each other in a circle.
    """
    account = select(StaffAccount.status).where(StaffAccount.staff_uid == staff_uid).with_for_update(key_share=True)
    status = tx.scalar(account)
    found = select(RefreshSession.__table__).where(RefreshSession.id == session_id)
    row = tx.execute(found.where(RefreshSession.staff_uid == staff_uid)).first()
    return None if status is None or row is None else (status, row)


def session(tx: ReadTx, session_id: int | None) -> Row[tuple[RefreshSession]] | None:
    return tx.execute(select(RefreshSession.__table__).where(RefreshSession.id == session_id)).first()
