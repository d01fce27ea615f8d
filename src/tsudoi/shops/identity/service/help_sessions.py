"""Sessions of the help page: opened by a mailed link, kept open by use."""

from datetime import datetime, timedelta

from tsudoi.core import sessions
from tsudoi.core.db.interface import Tx
from tsudoi.shops.identity.service.proving import consume_link
from tsudoi.shops.storefront.rules import PROOF_ID

# A session ends when nobody uses it for so long, and after the longest time in any case.
IDLE, LONGEST = timedelta(minutes=30), timedelta(hours=12)
# The end of a session is moved at most once in this time.
_MOVED_EVERY = timedelta(minutes=1)


def open_help_session(tx: Tx, shop_id: int, token: str, former: str | None) -> tuple[str, int]:
    """Use a mailed link. Returns the token of a new session, and the proof. The browser's former session ends."""
    proof_id = consume_link(tx, shop_id, token)
    if former:
        sessions.revoke_session(tx, former)
    session = sessions.open_session(tx, sessions.HELP, str(shop_id), {PROOF_ID: str(proof_id)}, IDLE)
    return session, proof_id


def keep_open(tx: Tx, token: str, expires_at: datetime) -> None:
    """The person uses the session."""
    if expires_at - tx.now < IDLE - _MOVED_EVERY:
        sessions.extend_session(tx, token, IDLE, LONGEST)
