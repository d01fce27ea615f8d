from typing import Annotated

from fastapi import APIRouter, Path

from tsudoi.access.api_description import raises
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.notifications.templates import queries, service
from tsudoi.notifications.templates.errors import TemplateRefused
from tsudoi.notifications.templates.rules import TemplateKey, preview
from tsudoi.notifications.templates.schemas import (
    TemplateChange,
    TemplateDetail,
    TemplateDraft,
    TemplateList,
    TemplatePreview,
    TemplateProblem,
)

router = APIRouter(prefix="/api/admin/notifications/templates", tags=["notifications"], route_class=TransactionRoute)

Key = Annotated[TemplateKey, Path(description="Which notice.")]


@router.get("", summary="Texts of notices")
def templates(tx: ReadTx, _admin: Admin) -> TemplateList:
    """The text of each notice, and the placeholders that a text may use."""
    return queries.template_list(tx)


@router.get("/{template_key}", summary="One text with its versions")
def template(tx: ReadTx, _admin: Admin, template_key: Key) -> TemplateDetail:
    """The text that is used now, the built-in one, and what the office wrote before."""
    return queries.template_detail(tx, template_key)


@router.put("/{template_key}", summary="Change a text", responses=raises(TemplateRefused))
def change(tx: Tx, admin: Admin, template_key: Key, body: TemplateChange) -> TemplateDetail:
    """Adds a version; null goes back to the built-in text. 400 `TEMPLATE_REFUSED` says what is wrong with the text.

    Notices that were tried already keep the text of their first attempt.
    """
    service.change_template(tx, template_key, body.body, admin.actor)
    return queries.template_detail(tx, template_key)


@router.post("/{template_key}/preview", summary="Preview of a text")
def show(_tx: ReadTx, _admin: Admin, template_key: Key, body: TemplateDraft) -> TemplatePreview:
    """The text with sample values, as a phone shows it, and why it could not be saved. Nothing is stored."""
    shown = preview(template_key, body.body)
    problems = [TemplateProblem(code=flaw.code, message=flaw.message) for flaw in shown.flaws]
    return TemplatePreview(
        text=shown.text,
        buttons=list(shown.buttons),
        length=shown.length,
        longest_length=shown.longest_length,
        limit=shown.limit,
        problems=problems,
    )
