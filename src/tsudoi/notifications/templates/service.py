from sqlalchemy import insert

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.templates.errors import TemplateRefused
from tsudoi.notifications.templates.models import NotificationTemplate
from tsudoi.notifications.templates.queries import template_detail
from tsudoi.notifications.templates.rules import TemplateKey, flaws, stored


def change_template(tx: Tx, key: TemplateKey, body: str | None, actor: str) -> None:
    """Add a version; None goes back to the built-in text. The same text again changes nothing."""
    new = None if body is None else stored(body)
    wrong = [] if new is None else flaws(new)
    if wrong:
        raise TemplateRefused([flaw.message for flaw in wrong])
    before = template_detail(tx, key)
    old = None if before.is_built_in else before.body
    if new == old:
        return
    values = {"key": key, "body": new, "created_by": actor, "created_at": tx.now}
    tx.execute(insert(NotificationTemplate).values(values))
    audit.record(tx, actor, "NOTICE_TEMPLATE", f"notice_template:{key}", old={"body": old}, new={"body": new})
