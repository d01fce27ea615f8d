"""What shops store about a customer. What STORES knows is with STORES, and is erased there."""

from sqlalchemy import ColumnElement, and_, or_

from tsudoi.core.outbox.table import IS_PENDING
from tsudoi.core.person_data import PersonIds, PersonTable
from tsudoi.shops.links.models import CustomerLink, LinkNotice
from tsudoi.shops.proofs.models import IdentityProof


def _links(ids: PersonIds) -> ColumnElement[bool]:
    by_line = and_(CustomerLink.channel_type == "line", CustomerLink.external_user_id.in_(ids.line_user_ids))
    return or_(CustomerLink.id.in_(ids.customer_ids), by_line)


CUSTOMER_TABLES = (
    PersonTable(CustomerLink, "店舗のお客様の連携", _links, "deleted"),
    PersonTable(
        LinkNotice,
        "連携のお知らせ",
        lambda ids: LinkNotice.line_user_id.in_(ids.line_user_ids),
        "blanked",
        lambda _now: {"line_user_id": "", "messages": []},
        hidden=frozenset({"lease_token", "retry_key"}),
        obstacle=lambda: LinkNotice.status == IS_PENDING,
        obstacle_reason="送信を待っています。送り終わってからお試しください",
    ),
    PersonTable(
        IdentityProof,
        "本人確認の控え",
        lambda ids: IdentityProof.line_user_id.in_(ids.line_user_ids),
        "deleted",
        hidden=frozenset({"email_hash", "phone_hash", "secret_hash", "contact_enc"}),
    ),
)
