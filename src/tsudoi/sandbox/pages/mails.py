"""The mailbox: the mails that the product has sent, to all addresses."""

import re
from datetime import datetime
from html import escape
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from tsudoi.sandbox.bounces import report_of
from tsudoi.sandbox.clock import JST
from tsudoi.sandbox.mailbox import KeptMail, MailPart
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.pages.mail_calendar import calendar_facts
from tsudoi.sandbox.wire import is_whole, world_of

_TITLE = "メールの受信箱"
_SHOWN = 200
_LABELS = {"From": "差出人", "To": "宛先"}
_SHOWN_ELSEWHERE = ("Subject", "Date")
_PARTS = {"text/html": "HTML版", "text/calendar": "予定（カレンダー）"}
_LINK = re.compile(r"https?://[^\s<>\"'、。）」]+")
_CALENDARS = ("text/calendar", "application/ics")
_HEAD = re.compile(rb"<head[^>]*>", re.IGNORECASE)
# Links of a mail open in a tab of their own, as in a mail program.
_NEW_TAB = b'<base target="_blank">'
# A mail is written by others: it may show text and pictures, its links may be followed, and nothing else.
_POPUPS = "allow-popups allow-popups-to-escape-sandbox"
_INERT = f"sandbox {_POPUPS}; default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:"
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
    parts = f"{_shown_parts(mail)}{_parts(mail)}{_bounce(mail)}"
    body = f'<dl class="headers">{headers}</dl>{text}{parts}{same}{_BACK_TO_LIST}'
    return page(mail.subject or "（件名なし）", body, wide=True, frames=True)


def _shown_parts(mail: KeptMail) -> str:
    """What a mail program would show below the text: the same in HTML, and a calendar entry in words."""
    shown = (_shown_part(mail, number, part) for number, part in enumerate(mail.parts()))
    # A calendar entry comes twice, for programs that read it and as a file for those that do not.
    return "".join(dict.fromkeys(shown))


def _shown_part(mail: KeptMail, number: int, part: MailPart) -> str:
    if part.content_type == "text/html" and part.filename is None:
        source = f"/mails/{mail.id}/parts/{number}"
        return f'<h2>HTML版</h2><iframe class="mail-html" src="{source}" sandbox="{_POPUPS}" title="HTML版"></iframe>'
    facts = calendar_facts(part.content) if part.content_type in _CALENDARS else {}
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    return f'<h2>予定（カレンダー）</h2><dl class="headers">{rows}</dl>' if rows else ""


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
    return f'<h2>部分ごとに開く</h2><ul class="parts">{items}</ul>' if items else ""


def _bounce(mail: KeptMail) -> str:
    """A mail server sends such a report hours later; here it is at hand, to be tried with the product's command."""
    return (
        f'<p><a href="/mails/{mail.id}/bounce" download="bounce-{mail.id}.eml">不達通知（バウンス）を受け取る</a></p>'
        "<p><small>届かなかったことにして、メールサーバーの報告をファイルで受け取ります。"
        f"<code>tsudoi mail bounce &lt; bounce-{mail.id}.eml</code> で集いに伝わります。</small></p>"
    )


async def show_bounce(request: Request) -> Response:
    mail = _wanted(request)
    if mail is None:
        raise HTTPException(404)
    headers = {"content-disposition": f'attachment; filename="bounce-{mail.id}.eml"', "cache-control": "no-store"}
    return Response(report_of(mail), media_type="message/rfc822", headers=headers)


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
    content = _with_new_tabs(part.content) if kind == "text/html" else part.content
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)


def _with_new_tabs(html: bytes) -> bytes:
    found = _HEAD.search(html)
    at = found.end() if found else 0
    return html[:at] + _NEW_TAB + html[at:]


def _wanted(request: Request) -> KeptMail | None:
    number = request.path_params["mail_id"]
    return world_of(request).mailbox.get(int(number)) if is_whole(number) else None
