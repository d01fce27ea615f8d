"""The forms of the sandbox's own pages: reading what was sent, and writing the fields."""

from collections.abc import Awaitable, Callable, Mapping
from html import escape
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from tsudoi.sandbox.control_api.requests import refuse_other_origins
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.wire import read_body, world_of

Form = dict[str, str]

BACK_TO_PHONES = '<p class="back"><a href="/">← スマホの画面へ</a></p>'
SAVED = '<p role="status" class="saved">保存しました。</p>'


def posted(handler: Callable[[Request, Form], Response]) -> Callable[[Request], Awaitable[Response]]:
    """A handler of a form. A form of another site, and one that makes no sense, changes nothing."""

    async def serve(request: Request) -> Response:
        try:
            refuse_other_origins(request, world_of(request))
            raw = (await read_body(request)).decode("latin-1")
            pairs = parse_qsl(raw, keep_blank_values=True, errors="replace")
            return handler(request, {name: value.strip() for name, value in pairs})
        except Refusal as refusal:
            message = f"<p>{escape(refusal.message)}</p>"
            return page("保存できませんでした", f"{message}{BACK_TO_PHONES}", refusal.status)

    return serve


def text_field(name: str, label: str, value: object, kind: str = "text", more: str = "") -> str:
    shown = "" if value is None else escape(str(value))
    return f'<label>{label}<input name="{name}" type="{kind}" value="{shown}"{more}></label>'


def choice_field(name: str, label: str, options: Mapping[str, str], chosen: str) -> str:
    """A value that is not among the options is offered too, so that saving does not change it."""
    offered = options if chosen in options else {**options, chosen: chosen}
    rows = "".join(
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(words)}</option>'
        for value, words in offered.items()
    )
    return f'<label>{label}<select name="{name}">{rows}</select></label>'


def form(action: str, fields: str, words: str, *, quiet: bool = False) -> str:
    button = f'<button type="submit" class="wide{" quiet" if quiet else ""}">{words}</button>'
    return f'<form method="post" action="{action}" class="fields">{fields}{button}</form>'


def search_form(query: str, label: str, more: str = "") -> str:
    return (
        f'<form method="get" class="choice" role="search"><label for="q">{label}</label>'
        f'<input id="q" name="q" type="search" value="{escape(query)}">{more}<button type="submit">探す</button></form>'
    )


def row(href: str, first: str, *others: str) -> str:
    """An entry of a list that leads to its page."""
    small = "".join(f"<small>{escape(other)}</small>" for other in others if other)
    return f'<li><a class="friend mail" href="{href}"><span><b>{escape(first)}</b>{small}</span></a></li>'


def rows_or(rows: list[str], nothing: str) -> str:
    return f"<ul>{''.join(rows)}</ul>" if rows else f"<p>{nothing}</p>"
