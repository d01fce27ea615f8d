from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, select

from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.templates.models import NotificationTemplate
from tsudoi.notifications.templates.rules import BUILT_IN, LABELS, PLACEHOLDERS, TemplateKey
from tsudoi.notifications.templates.schemas import (
    PlaceholderItem,
    TemplateDetail,
    TemplateItem,
    TemplateList,
    TemplateVersion,
)

_MOST_VERSIONS = 20
_NEWEST = RawSql(
    """SELECT key, body FROM notification_templates
    WHERE id IN (SELECT max(id) FROM notification_templates GROUP BY key) AND body IS NOT NULL"""
)


def current_bodies(tx: ReadTx) -> dict[TemplateKey, str]:
    """The text of each notice: the office's newest, or the built-in one."""
    return {**BUILT_IN, **dict(_NEWEST.all(tx, {}))}


def template_list(tx: ReadTx) -> TemplateList:
    items = [TemplateItem(**_item(key, _versions(tx, key, 1))) for key in BUILT_IN]
    placeholders = [
        PlaceholderItem(name=one.name, description=one.description, sample=one.sample, may_be_empty=one.may_be_empty)
        for one in PLACEHOLDERS.values()
    ]
    return TemplateList(items=items, placeholders=placeholders)


def template_detail(tx: ReadTx, key: TemplateKey) -> TemplateDetail:
    rows = _versions(tx, key, _MOST_VERSIONS)
    versions = [
        TemplateVersion(body=row.body, created_at=display(row.created_at), created_by=row.created_by) for row in rows
    ]
    return TemplateDetail(**_item(key, rows), built_in_body=BUILT_IN[key], versions=versions)


def _versions(tx: ReadTx, key: TemplateKey, most: int) -> Sequence[Row[Any]]:
    table = NotificationTemplate
    statement = select(table.body, table.created_by, table.created_at).where(table.key == key)
    return tx.execute(statement.order_by(table.id.desc()).limit(most)).all()


def _item(key: TemplateKey, versions: Sequence[Row[Any]]) -> dict[str, Any]:
    newest = versions[0] if versions else None
    own = newest.body if newest else None
    return {
        "key": key,
        "label": LABELS[key],
        "body": own or BUILT_IN[key],
        "is_built_in": own is None,
        "changed_at": display(newest.created_at) if newest else None,
        "changed_by": newest.created_by if newest else None,
    }
