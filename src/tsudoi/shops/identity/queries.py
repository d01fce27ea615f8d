from sqlalchemy import ColumnElement, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.shops.identity.rules.proofs import LIFF_CODE, StoredProof
from tsudoi.shops.proofs.models import IdentityProof

_COLUMNS = (
    IdentityProof.id,
    IdentityProof.shop_id,
    IdentityProof.contact_enc,
    IdentityProof.expires_at_utc,
    IdentityProof.used_at_utc,
    IdentityProof.tries,
)


def proof_by_id(tx: ReadTx, proof_id: int) -> StoredProof | None:
    return _proof(tx, IdentityProof.id == proof_id)


def proof_by_secret(tx: ReadTx, shop_id: int, secret_hash: str) -> StoredProof | None:
    return _proof(tx, (IdentityProof.secret_hash == secret_hash) & (IdentityProof.shop_id == shop_id))


def newest_code(tx: ReadTx, shop_id: int, line_user_id: str) -> StoredProof | None:
    """Only the newest code of a LINE user counts in a shop."""
    own = (
        (IdentityProof.purpose == LIFF_CODE)
        & (IdentityProof.shop_id == shop_id)
        & (IdentityProof.line_user_id == line_user_id)
    )
    return _proof(tx, own)


def _proof(tx: ReadTx, which: ColumnElement[bool]) -> StoredProof | None:
    row = tx.execute(select(*_COLUMNS).where(which).order_by(IdentityProof.id.desc()).limit(1)).one_or_none()
    return None if row is None else StoredProof(*tuple(row))
