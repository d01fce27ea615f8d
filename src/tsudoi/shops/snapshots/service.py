"""The snapshots that sessions keep of STORES' answers, so that STORES is asked once and not at every page."""

from datetime import datetime, timedelta

from sqlalchemy import insert, or_, select

from tsudoi.alarms.system_events.models import SysEvent
from tsudoi.core import sessions
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.forgetting import delete_some
from tsudoi.core.models import Session
from tsudoi.core.rate_limit import Limit, RateLimitResult, count_request
from tsudoi.core.tokens import token_hash
from tsudoi.shops.secrets.errors import Unreadable
from tsudoi.shops.secrets.rules import KeyRing, decrypt, encrypt, snapshot_purpose
from tsudoi.shops.snapshots.models import SessionSnapshot
from tsudoi.shops.snapshots.rules.customers import UNASKED, CustomerSnapshot, snapshot_of_json

# A person says that a reservation has changed: one more question to STORES.
ONE_REFRESH = Limit("identity-refresh", 1, timedelta(minutes=1))


def snapshot_of(tx: ReadTx, ring: KeyRing, session_token: str, shop_id: int) -> tuple[CustomerSnapshot, datetime]:
    """What this session knows, and since when. Nothing readable is as good as nothing."""
    session_hash = token_hash(session_token)
    row = tx.execute(
        select(SessionSnapshot.sealed, SessionSnapshot.taken_at_utc).where(
            SessionSnapshot.session_hash == session_hash, SessionSnapshot.shop_id == shop_id
        )
    ).one_or_none()
    if row is None:
        return UNASKED, tx.now
    try:
        return snapshot_of_json(decrypt(ring, row.sealed, snapshot_purpose(session_hash))), row.taken_at_utc
    except Unreadable:
        return UNASKED, tx.now


def keep_snapshot(
    tx: Tx, ring: KeyRing, session_token: str, shop_id: int, channel: str, snapshot: CustomerSnapshot
) -> None:
    """A session that ended meanwhile keeps nothing."""
    session_hash = token_hash(session_token)
    alive = select(Session.id_hash).where(Session.id_hash == session_hash, Session.revoked_at.is_(None))
    if snapshot.state == "failed":
        note_failure(tx, shop_id, channel, snapshot.code, snapshot.status)
    if tx.execute(alive.with_for_update(key_share=True)).one_or_none() is None:
        return
    sealed = encrypt(ring, snapshot.to_json(), snapshot_purpose(session_hash))
    values = {"session_hash": session_hash, "shop_id": shop_id, "sealed": sealed, "taken_at_utc": tx.now}
    tx.execute(
        upsert(tx, SessionSnapshot)
        .values(values)
        .on_conflict_do_update(
            index_elements=["session_hash", "shop_id"], set_={"sealed": sealed, "taken_at_utc": tx.now}
        )
    )


def note_failure(tx: Tx, shop_id: int, channel: str, code: str, status: int) -> None:
    """For those who watch the system: a customer could not be answered. It says nothing about the customer."""
    tx.execute(
        insert(SysEvent).values(
            occurred_at_utc=tx.now,
            event_type="identity_lookup_failed",
            channel=channel,
            shop_id=shop_id,
            payload_json={"code": code, "http_status": status},
        )
    )


def count_refresh(tx: Tx, who: str, shop_id: int) -> RateLimitResult:
    return count_request(tx, ONE_REFRESH, f"{shop_id}:{who}")


def forget_ended(tx: Tx) -> int:
    """Delete some. Snapshots go with their sessions, and a help session that ended is removed altogether."""
    ended = or_(Session.expires_at <= tx.now, Session.revoked_at.is_not(None))
    of_ended = SessionSnapshot.session_hash.in_(select(Session.id_hash).where(ended))
    gone = delete_some(tx, SessionSnapshot, of_ended)
    return gone or delete_some(tx, Session, Session.kind == sessions.HELP, ended)
