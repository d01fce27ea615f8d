"""Members to whose mail address nothing can be delivered. The roster is below and does not know of mails."""

from sqlalchemy import Text, cast, func, select

from tsudoi.core.person_sources import AnySelect, DriftCheck, drift_row
from tsudoi.notifications.mails.models import MailBounce
from tsudoi.roster.members.models import Member
from tsudoi.roster.members.queries import roster_order


def _mail_dead() -> AnySelect:
    return (
        select(*drift_row("member", cast(Member.id, Text), Member.name, note=MailBounce.status_code))
        .join(MailBounce, MailBounce.address == func.lower(Member.email))
        .where(MailBounce.dead_at.is_not(None), Member.withdrawn_at.is_(None))
        .order_by(*roster_order())
    )


MEMBER_MAIL_CHECKS = (
    DriftCheck(
        "member_mail_dead",
        "メールが届かない会員",
        "メールサーバーから「届けられない」と返されました。名簿のメールアドレスをお直しください。",
        "/people/member/{id}",
        _mail_dead,
    ),
)
