from datetime import UTC, datetime

from sqlalchemy import ColumnElement, case, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.line.friends.models import LineFriend


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
    new = statement.excluded
    tx.execute(
        statement.on_conflict_do_update(
            index_elements=["user_id"],
            set_={
                "following": case((newer, new.following), else_=LineFriend.following),
                "state_ms": case((newer, new.state_ms), else_=LineFriend.state_ms),
                "first_contact_at": _earlier(new.first_contact_at),
                "last_contact_at": _later(new.last_contact_at),
                "updated_at": tx.now,
            },
        )
    )


def record_profile(tx: Tx, user_id: str, display_name: str | None, picture_url: str | None) -> None:
    tx.execute(
        update(LineFriend)
        .where(LineFriend.user_id == user_id)
        .values(display_name=_storable(display_name), picture_url=_storable(picture_url), updated_at=tx.now)
    )


def record_contact(tx: Tx, user_id: str, display_name: str | None, picture_url: str | None) -> None:
    """Update the profile of a friend who opened a LIFF page. A LINE user who is no friend is not stored."""
    tx.execute(
        update(LineFriend)
        .where(LineFriend.user_id == user_id)
        .values(
            display_name=_storable(display_name) or LineFriend.display_name,
            picture_url=_storable(picture_url) or LineFriend.picture_url,
            last_contact_at=tx.now,
            updated_at=tx.now,
        )
    )


def _earlier(at: ColumnElement[datetime]) -> ColumnElement[datetime]:
    return case((at < LineFriend.first_contact_at, at), else_=LineFriend.first_contact_at)


def _later(at: ColumnElement[datetime]) -> ColumnElement[datetime]:
    return case((at > LineFriend.last_contact_at, at), else_=LineFriend.last_contact_at)


def _storable(text: str | None) -> str | None:
    """Users can put any text into a LINE name; PostgreSQL refuses NUL, and UTF-8 has no lone surrogates."""
    return None if text is None else text.replace("\x00", "").encode("utf-8", "replace").decode()
