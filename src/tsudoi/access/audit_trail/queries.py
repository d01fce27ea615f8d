import orjson
from sqlalchemy import select

from tsudoi.access.audit_trail.schemas import ActorType, AuditEntry, AuditPage
from tsudoi.core.clock import jst_text, parse_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.models import AuditLog
from tsudoi.core.pages import decode_cursor, encode_cursor

_TYPES: dict[str, ActorType] = {"admin": "ADMIN", "staff": "STAFF", "cli": "SYSTEM", "system": "SYSTEM"}


def audit_page(tx: ReadTx, limit: int, cursor: str | None, /, **only: str | None) -> AuditPage:
    """Newest first. `only`: values that the named columns must have; empty values are ignored."""
    wanted = [AuditLog.__table__.c[name] == value for name, value in only.items() if value]
    statement = select(AuditLog).where(*wanted).order_by(AuditLog.id.desc()).limit(limit + 1)
    if cursor is not None:
        statement = statement.where(AuditLog.id < decode_cursor(cursor, int)[0])
    rows = tx.execute(statement).all()
    items = [
        AuditEntry(
            id=row.id,
            at=jst_text(parse_text(row.at)),
            actor=row.actor,
            actor_type=_TYPES.get(row.actor.partition(":")[0], "OTHER"),
            action=row.action,
            subject=row.subject,
            reason=row.reason,
            old=row.old and orjson.loads(row.old),
            new=row.new and orjson.loads(row.new),
        )
        for row in rows[:limit]
    ]
    return AuditPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)
