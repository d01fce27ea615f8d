"""A right code with the customer whom STORES found: the link, and the end of the code, in one transaction."""

from dataclasses import replace

from tsudoi.core.db.interface import Tx
from tsudoi.shops.identity.service.proving import close_proof
from tsudoi.shops.links.rules import CustomerPair, LinkAction
from tsudoi.shops.links.service.linking import link_customer
from tsudoi.shops.secrets.rules import KeyRing
from tsudoi.shops.snapshots.rules.customers import CustomerSnapshot
from tsudoi.shops.snapshots.service import keep_snapshot


def confirm_link(tx: Tx, pair: CustomerPair, proof_id: int, actor: str, *, transfer: bool) -> LinkAction:
    """Raises `CustomerLinkConflict`; then the code still works, for a transfer."""
    action = link_customer(tx, pair, actor, transfer=transfer, reason="mail_code")
    close_proof(tx, proof_id)
    return action


def keep_answer(
    tx: Tx, ring: KeyRing, session_token: str, shop_id: int, proof_id: int, found: CustomerSnapshot
) -> None:
    """Keep what STORES said for this code. Only where nobody was found has the code done its work."""
    keep_snapshot(tx, ring, session_token, shop_id, "line", replace(found, proof_id=proof_id))
    if found.state in ("not_found", "multiple"):
        close_proof(tx, proof_id)
