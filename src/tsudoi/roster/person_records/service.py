"""What the roster stores about a person. The row of a member stays without a name: it is the tombstone."""

from datetime import datetime
from typing import Any

from sqlalchemy import func, literal

from tsudoi.core.columns import JstText
from tsudoi.core.person_data import ERASED_NAME, PersonTable
from tsudoi.roster.audiences.models import AudienceMember
from tsudoi.roster.linking.models import UndoneLink, WaitingRegistration
from tsudoi.roster.members.models import Member


def _without_person(now: datetime) -> dict[str, Any]:
    """`erased_at` lets the next sync refuse the row of the sheet that would bring the person back."""
    empty = dict.fromkeys(("kana", "line_user_id", "line_display_name", "email"))
    gone = {"name": ERASED_NAME, "name_key": "", "is_target": 0, "erased_at": now, "updated_at": now}
    return {**empty, **gone, "withdrawn_at": func.coalesce(Member.withdrawn_at, literal(now, JstText()))}


MEMBER_TABLES = (
    PersonTable(Member, "会員名簿", lambda ids: Member.id.in_(ids.member_ids), "blanked", _without_person),
    PersonTable(AudienceMember, "グループの所属", lambda ids: AudienceMember.member_id.in_(ids.member_ids), "deleted"),
    PersonTable(
        UndoneLink,
        "解除した連携",
        lambda ids: UndoneLink.member_id.in_(ids.member_ids) | UndoneLink.user_id.in_(ids.line_user_ids),
        "deleted",
    ),
    PersonTable(
        WaitingRegistration,
        "確認を待っている登録",
        lambda ids: WaitingRegistration.user_id.in_(ids.line_user_ids),
        "deleted",
    ),
)
