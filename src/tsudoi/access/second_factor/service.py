from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, insert, or_, select, update

from tsudoi.access.second_factor import queries
from tsudoi.access.second_factor.errors import NoSetUp, WrongSetUpCode
from tsudoi.access.second_factor.models import AdminTotp, RecoveryCode
from tsudoi.access.second_factor.rules import (
    BASE32,
    READABLE,
    RECOVERY_CODES,
    SECRET_LETTERS,
    matching_step,
    normalised,
)
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.tokens import random_groups, token_hash

# A key on a screen that somebody left open must not become the second factor hours later.
SET_UP_WITHIN = timedelta(minutes=15)


def begin(tx: Tx, admin_id: int) -> str:
    """A new secret, which counts when a code confirms it. A factor that is in use stays so until then."""
    secret = random_groups(BASE32, 1, SECRET_LETTERS)
    draft = {"draft_secret": secret, "updated_at": tx.now}
    statement = upsert(tx, AdminTotp).values(admin_id=admin_id, **draft)
    tx.execute(statement.on_conflict_do_update(index_elements=["admin_id"], set_=draft))
    return secret


def confirm(tx: Tx, admin_id: int, username: str, code: str) -> list[str]:
    """Take the new secret into use, and return new recovery codes."""
    row = tx.execute(
        select(AdminTotp.draft_secret, AdminTotp.updated_at)
        .where(AdminTotp.admin_id == admin_id)
        .with_for_update(key_share=True)
    ).one_or_none()
    if row is None or row.draft_secret is None or row.updated_at + SET_UP_WITHIN <= tx.now:
        raise NoSetUp
    step = matching_step(row.draft_secret, code, tx.now)
    if step is None:
        raise WrongSetUpCode
    taken = {"secret": row.draft_secret, "draft_secret": None, "confirmed_at": tx.now, "last_step": step}
    tx.execute(update(AdminTotp).where(AdminTotp.admin_id == admin_id).values(**taken, updated_at=tx.now))
    audit.record(tx, f"admin:{username}", "ADMIN_TOTP_ON", f"admin:{username}")
    return _new_codes(tx, admin_id)


def accept(tx: Tx, admin_id: int, typed: str) -> Literal["totp", "recovery"] | None:
    """Use up a code of the app or a recovery code; None if it is neither, or was used before."""
    row = tx.execute(select(AdminTotp.secret).where(AdminTotp.admin_id == admin_id)).one_or_none()
    step = matching_step(row.secret, typed, tx.now) if row is not None and row.secret else None
    if step is not None:
        # One statement decides, so that of two requests with the same code one is refused.
        unused = or_(AdminTotp.last_step.is_(None), AdminTotp.last_step < step)
        used = update(AdminTotp).where(AdminTotp.admin_id == admin_id, unused).values(last_step=step)
        return "totp" if tx.execute(used).rowcount == 1 else None
    code = (RecoveryCode.admin_id == admin_id, RecoveryCode.code_hash == token_hash(normalised(typed)))
    spent = update(RecoveryCode).where(*code, RecoveryCode.used_at.is_(None)).values(used_at=tx.now)
    return "recovery" if tx.execute(spent).rowcount == 1 else None


def renew_codes(tx: Tx, admin_id: int, username: str) -> list[str]:
    """New recovery codes; the former ones are void."""
    if not queries.is_on(tx, admin_id):
        raise NoSetUp
    audit.record(tx, f"admin:{username}", "ADMIN_RECOVERY_CODES", f"admin:{username}")
    return _new_codes(tx, admin_id)


def remove(tx: Tx, admin_id: int, username: str, actor: str) -> None:
    """Switch the second factor off, with its recovery codes: by the owner, or by somebody who helps the owner."""
    was_on = queries.is_on(tx, admin_id)
    tx.execute(delete(RecoveryCode).where(RecoveryCode.admin_id == admin_id))
    tx.execute(delete(AdminTotp).where(AdminTotp.admin_id == admin_id))
    if not was_on:
        raise NoSetUp
    audit.record(tx, actor, "ADMIN_TOTP_OFF", f"admin:{username}")


def _new_codes(tx: Tx, admin_id: int) -> list[str]:
    codes = [random_groups(READABLE, 4, 4) for _ in range(RECOVERY_CODES)]
    tx.execute(delete(RecoveryCode).where(RecoveryCode.admin_id == admin_id))
    rows = [
        {"admin_id": admin_id, "code_hash": token_hash(normalised(code)), "created_at": tx.now, "used_at": None}
        for code in codes
    ]
    tx.execute(insert(RecoveryCode), rows)
    return codes
