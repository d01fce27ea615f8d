"""Notices as LINE message objects. Pure."""

from datetime import datetime
from typing import Any

from tsudoi.core.clock import JST, display
from tsudoi.notifications.notices.rules.facts import NoticeFacts, NoticeLinks
from tsudoi.notifications.notices.rules.making import Kind
from tsudoi.notifications.templates.rules import BUTTONS, WITH_BUTTONS, TemplateKey, filled

Messages = list[dict[str, Any]]
_NIGHT_BEGINS, _NIGHT_ENDS = 22, 7
_BUTTONS_TEXT = "ご予約の確認・変更はこちらから"


def template_key(kind: Kind, facts: NoticeFacts, *, moved: bool) -> TemplateKey:
    """`moved`: the person was told of another time before."""
    if kind == "CONFIRMATION" and moved:
        return "MOVED"
    return "REFUNDED" if kind == "CANCEL_COMPLETED" and facts.refunded else kind


def notice_messages(key: TemplateKey, body: str, facts: NoticeFacts) -> Messages:
    """Raises `BrokenTemplate`."""
    text = {"type": "text", "text": notice_text(body, facts)}
    buttons = actions(facts.links) if key in WITH_BUTTONS else []
    return [text, _buttons_message(buttons)] if buttons else [text]


def notice_text(body: str, facts: NoticeFacts) -> str:
    """Raises `BrokenTemplate`."""
    values = {**facts.placeholders, "日時": display(facts.begins_at), "予約番号": str(facts.reservation_id)}
    return filled(body, values)


def actions(links: NoticeLinks) -> list[dict[str, str]]:
    uris = (links.view, links.change, links.cancel, links.calendar)
    labelled = zip(BUTTONS, uris, strict=True)
    return [{"type": "uri", "label": label, "uri": uri} for label, uri in labelled if uri]


def is_night(at: datetime) -> bool:
    hour = at.astimezone(JST).hour
    return hour >= _NIGHT_BEGINS or hour < _NIGHT_ENDS


def _buttons_message(buttons: list[dict[str, str]]) -> dict[str, Any]:
    labels = "／".join(button["label"] for button in buttons)
    template = {"type": "buttons", "text": _BUTTONS_TEXT, "actions": buttons}
    return {"type": "template", "altText": f"{_BUTTONS_TEXT}（{labels}）", "template": template}
