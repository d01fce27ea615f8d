from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.templates.rules import BUILT_IN, TemplateKey

_NEWEST = RawSql(
    """SELECT key, body FROM notification_templates
    WHERE id IN (SELECT max(id) FROM notification_templates GROUP BY key) AND body IS NOT NULL"""
)


def current_bodies(tx: ReadTx) -> dict[TemplateKey, str]:
    """The text of each notice: the office's newest, or the built-in one."""
    own: dict[TemplateKey, str] = dict(_NEWEST.all(tx, {}))
    return {**BUILT_IN, **own}
