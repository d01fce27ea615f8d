"""The mailbox: the mails that the product has sent, to all addresses."""

import re
from datetime import datetime
from html import escape
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tsudoi.sandbox.clock import JST
from tsudoi.sandbox.mailbox import KeptMail, MailPart
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.wire import is_whole, world_of

_TITLE = "メールの受信箱"
_SHOWN = 200
_LABELS = {"From": "差出人", "To": "宛先"}
_SHOWN_ELSEWHERE = ("Subject", "Date")
_PARTS = {"text/html": "HTML版", "text/calendar": "予定（カレンダー）"}
_LINK = re.compile(r"https?://[^\s<>\"'、。）」]+")
# A mail is written by others: it may show text and pictures, and nothing else.
_INERT = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:"
_BACK_TO_PHONES = '<p class="back"><a href="/">← スマホの画面へ</a></p>'
_BACK_TO_LIST = '<p class="back"><a href="/mails">← 受信箱へ</a></p>'


async def list_mails(request: Request) -> Response:
    to = request.query_params.get("to") or None
    mailbox = world_of(request).mailbox
    found = mailbox.to(to)[::-1]
    about = "<p>メールサーバーの代わりです。集いが送ったメールは、だれ宛てのものもここに届きます。</p>"
    choice = _addresses(sorted({address for mail in mailbox for address in mail.recipients}), to)
    if not found:
        return page(_TITLE, f"{about}{choice}<p>まだメールは届いていません。</p>{_BACK_TO_PHONES}")
    rows = "".join(f"<li>{_row(mail)}</li>" for mail in found[:_SHOWN])
    more = f"<p>ほか {len(found) - _SHOWN:,} 通は表示していません。</p>" if len(found) > _SHOWN else ""
    count = f'<p role="status">{len(found):,} 通</p>'
    return page(_TITLE, f"{about}{choice}{count}<ul>{rows}</ul>{more}{_BACK_TO_PHONES}")


def _addresses(addresses: list[str], chosen: str | None) -> str:
    if not addresses:
        return ""
    options = "".join(
        f'<option value="{escape(address)}"{" selected" if address == chosen else ""}>{escape(address)}</option>'
        for address in addresses
    )
    return (
        '<form method="get" class="choice"><label for="to">宛先でしぼる</label>'
        f'<select id="to" name="to"><option value="">すべての宛先</option>{options}</select>'
        '<button type="submit">表示する</button></form>'
    )


def _row(mail: KeptMail) -> str:
    return (
        f'<a class="friend mail" href="/mails/{mail.id}"><span><b>{escape(mail.subject) or "（件名なし）"}</b>'
        f"<small>{escape(', '.join(mail.recipients))}</small><small>{_time(mail)}</small></span></a>"
    )


def _time(mail: KeptMail) -> str:
    return datetime.fromtimestamp(mail.at / 1000, JST).strftime("%Y/%m/%d %H:%M")


async def show_mail(request: Request) -> Response:
    mail = _wanted(request)
    if mail is None:
        return page(_TITLE, f"<p>このメールはありません。</p>{_BACK_TO_LIST}", 404)
    shown = {"届いた日時": _time(mail)} | {
        _LABELS.get(name, name): value for name, value in mail.headers.items() if name not in _SHOWN_ELSEWHERE
    }
    headers = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in shown.items())
    text = (
        f'<div class="mail-text">{_linked(mail.text)}</div>' if mail.text else "<p>本文（テキスト）はありません。</p>"
    )
    same = (
        f'<p class="back"><a href="/mails?{urlencode({"to": mail.recipients[0]})}">この宛先のメールだけを見る</a></p>'
    )
    body = f'<dl class="headers">{headers}</dl>{text}{_parts(mail)}{same}{_BACK_TO_LIST}'
    return page(mail.subject or "（件名なし）", body, wide=True)


def _linked(text: str) -> str:
    """The text with its line breaks; addresses of pages become links."""
    pieces, end = [], 0
    for found in _LINK.finditer(text):
        url = escape(found.group())
        pieces += [escape(text[end : found.start()]), f'<a href="{url}" target="_blank" rel="noopener">{url}</a>']
        end = found.end()
    return "".join([*pieces, escape(text[end:])])


def _parts(mail: KeptMail) -> str:
    items = "".join(
        f'<li><a href="/mails/{mail.id}/parts/{number}" target="_blank" rel="noopener">{escape(_name(part))}</a></li>'
        for number, part in enumerate(mail.parts())
    )
    return f'<h2>ほかの部分</h2><ul class="parts">{items}</ul>' if items else ""


def _name(part: MailPart) -> str:
    return part.filename or _PARTS.get(part.content_type, part.content_type)


async def show_part(request: Request) -> Response:
    mail, number = _wanted(request), request.path_params["number"]
    parts = [] if mail is None else mail.parts()
    if not is_whole(number) or int(number) >= len(parts):
        raise HTTPException(404)
    part = parts[int(number)]
    kind = "text/html" if part.content_type == "text/html" else "text/plain"
    headers = {"content-security-policy": _INERT, "cache-control": "no-store"}
    return Response(part.content, media_type=f"{kind}; charset=utf-8", headers=headers)


def _wanted(request: Request) -> KeptMail | None:
    number = request.path_params["mail_id"]
    return world_of(request).mailbox.get(int(number)) if is_whole(number) else None
