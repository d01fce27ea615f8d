from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.forgetting import delete_some
from tsudoi.shops.proofs.models import IdentityProof
from tsudoi.shops.secrets.errors import Unreadable
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.queries import SealedSecret, proofs_not_sealed_with
from tsudoi.shops.secrets.rules import KeyRing, decrypt, encrypt, proof_purpose, sealed_with, secret_purpose

# Requests for a proof are counted per hour.
_KEPT_PROOFS = timedelta(days=1)


def seal_anew(tx: Tx, ring: KeyRing, secrets: Sequence[SealedSecret]) -> int:
    """Seal these with the first key; returns how many that were. A secret that was replaced meanwhile is left alone."""
    number = 0
    for one in secrets:
        if sealed_with(one.sealed) != ring.first_id:
            purpose = secret_purpose(one.shop_id, one.key)
            value = encrypt(ring, decrypt(ring, one.sealed, purpose), purpose)
            same = (ShopSecret.shop_id == one.shop_id, ShopSecret.k == one.key, ShopSecret.v_enc == one.sealed)
            number += tx.execute(update(ShopSecret).where(*same).values(v_enc=value)).rowcount
    return number


def seal_proofs_anew(tx: Tx, ring: KeyRing, after: int, most: int) -> tuple[int, int | None]:
    """Seal the next proofs with the first key; returns how many, and the last id, or None at the end.

    A proof that no key opens is of no use to anybody, and is removed.
    """
    rows = proofs_not_sealed_with(tx, ring.first_id, after, most)
    table = IdentityProof
    for proof_id, shop_id, sealed in rows:
        purpose = proof_purpose(shop_id)
        try:
            value = encrypt(ring, decrypt(ring, sealed, purpose), purpose)
        except Unreadable:
            tx.execute(delete(table).where(table.id == proof_id))
        else:
            tx.execute(update(table).where(table.id == proof_id).values(contact_enc=value))
    return len(rows), rows[-1][0] if len(rows) == most else None


def forget_expired_proofs(tx: Tx) -> int:
    """Delete some of those that ended yesterday: not usable, and not needed to count how often somebody asked."""
    return delete_some(tx, IdentityProof, IdentityProof.expires_at_utc < tx.now - _KEPT_PROOFS)
