from datetime import UTC, datetime

from sqlalchemy import case, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.line.friends.models import LineFriend
from tsudoi.line.inbox.rules import storable_text


def record_following(tx: Tx, user_id: str, event_ms: int, *, following: bool) -> None:
    """Apply a follow or unfollow. Webhooks come twice and out of order: the newest event decides."""
    at = datetime.fromtimestamp(event_ms / 1000, UTC)
    statement = upsert(tx, LineFriend).values(
        user_id=user_id,
        following=following,
        state_ms=event_ms,
        first_contact_at=at,
        last_contact_at=at,
        updated_at=tx.now,
    )
    newer = LineFriend.state_ms < event_ms
    new, first, last = statement.excluded, LineFriend.first_contact_at, LineFriend.last_contact_at
    tx.execute(
        statement.on_conflict_do_update(
            index_elements=["user_id"],
            set_={
                "following": case((newer, new.following), else_=LineFriend.following),
                "state_ms": case((newer, new.state_ms), else_=LineFriend.state_ms),
                "first_contact_at": case((new.first_contact_at < first, new.first_contact_at), else_=first),
                "last_contact_at": case((new.last_contact_at > last, new.last_contact_at), else_=last),
                "updated_at": tx.now,
            },
        )
    )


def record_profile(tx: Tx, user_id: str, display_name: str | None, picture_url: str | None) -> None:
    tx.execute(
        update(LineFriend)
        .where(LineFriend.user_id == user_id)
        .values(display_name=storable_text(display_name), picture_url=storable_text(picture_url), updated_at=tx.now)
    )


def record_contact(tx: Tx, user_id: str, display_name: str | None, picture_url: str | None) -> None:
    """Update the profile of a friend who opened a LIFF page. A LINE user who is no friend is not stored."""
    tx.execute(
        update(LineFriend)
        .where(LineFriend.user_id == user_id)
        .values(
            display_name=storable_text(display_name) or LineFriend.display_name,
            picture_url=storable_text(picture_url) or LineFriend.picture_url,
            last_contact_at=tx.now,
            updated_at=tx.now,
        )
    )
