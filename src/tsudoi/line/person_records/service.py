"""What the LINE part stores about a person. Nothing of it has to stay."""

from tsudoi.core import sessions
from tsudoi.core.models import IdempotencyKey, Session
from tsudoi.core.outbox.table import IS_PENDING
from tsudoi.core.person_data import PersonTable
from tsudoi.line.friends.models import LineFriend
from tsudoi.line.inbox.models import LineEvent

LINE_TABLES = (
    PersonTable(LineFriend, "LINEの友だち", lambda ids: LineFriend.user_id.in_(ids.line_user_ids), "deleted"),
    PersonTable(
        LineEvent,
        "LINEから届いた知らせ",
        lambda ids: LineEvent.user_id.in_(ids.line_user_ids),
        "deleted",
        hidden=frozenset({"lease_token", "payload"}),
        obstacle=lambda: LineEvent.status == IS_PENDING,
        obstacle_reason="処理を待っています。少し待ってからお試しください",
    ),
    PersonTable(
        Session,
        "LINEの画面のログイン",
        lambda ids: (Session.kind == sessions.LIFF) & Session.subject.in_(ids.line_user_ids),
        "deleted",
        hidden=frozenset({"id_hash"}),
    ),
    PersonTable(
        IdempotencyKey,
        "くり返された送信の控え",
        lambda ids: IdempotencyKey.principal.in_([f"line:{one}" for one in ids.line_user_ids]),
        "deleted",
        hidden=frozenset({"key", "request_hash", "body", "result"}),
    ),
)
