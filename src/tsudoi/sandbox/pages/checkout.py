"""The payment page of Stripe: pay by card, have the card declined, pay at a konbini, or leave."""

import re
from collections.abc import Callable
from datetime import datetime
from html import escape
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.sandbox.clock import JST
from tsudoi.sandbox.control_api.requests import refuse_other_origins
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.state import World
from tsudoi.sandbox.stripe.events import Event
from tsudoi.sandbox.stripe.sessions import CheckoutSession
from tsudoi.sandbox.stripe_api.webhooks import StripeWebhooks
from tsudoi.sandbox.wire import note, read_body, world_of

_TITLE = "お支払い"
_PRACTICE = '<p class="practice">Stripe の代わりの練習用ページです。実際のお金は動きません。</p>'
_ORIGIN = re.compile(r"https?://[\w.\-\[\]:]+")
_STATES = {"open": "お支払い待ち", "expired": "期限切れ"}


async def show_checkout(request: Request) -> Response:
    world, session = world_of(request), _session(request)
    if session is None:
        return _missing()
    if session.is_open:
        return _open_page(world, session, declined="declined" in request.query_params)
    if world.stripe.waits_for_konbini(session):
        return _konbini_page(world, session)
    if session.payment_status == "paid":
        back = _link(session.return_url, "申込みのページへ進む")
        return page("お支払いは済んでいます", f'{_PRACTICE}{_summary(session)}<p class="back">{back}</p>')
    why = "このお支払いページの期限が切れました。" if session.status == "expired" else "お支払いの期限が過ぎました。"
    return page("お支払いはできません", f'{_PRACTICE}<p>{why}</p><p class="back">{_leave(session)}</p>')


async def act(request: Request) -> Response:
    """A button of the page. The page leads on when the product has received the webhooks, as Stripe's does."""
    world = world_of(request)
    try:
        refuse_other_origins(request, world)
        action = parse_qs((await read_body(request)).decode("latin-1")).get("action", [""])[0]
    except Refusal as refusal:
        return page(_TITLE, f"<p>{escape(refusal.message)}</p>", refusal.status)
    session = _session(request)
    if session is None:
        return _missing()
    deed = _possible(world, session).get(action)
    if deed is None:
        # The session has ended meanwhile: the page says how.
        return RedirectResponse(request.url.path, 303)
    note(request, f"pay / {action}")
    webhooks: StripeWebhooks = request.app.state.stripe_webhooks
    await webhooks.deliver(deed(session, world.clock.now_seconds()))
    after = {"card": session.return_url, "declined": f"{request.url.path}?declined"}
    return RedirectResponse(after.get(action, request.url.path), 303)


def _possible(world: World, session: CheckoutSession) -> dict[str, Callable[[CheckoutSession, int], list[Event]]]:
    account = world.stripe
    if account.waits_for_konbini(session):
        return {"paid": account.pay_at_konbini, "missed": account.miss_konbini}
    if not session.is_open:
        return {}
    konbini = {"konbini": account.choose_konbini} if session.offers_konbini else {}
    return {"card": account.pay_by_card, "declined": account.decline_card, **konbini}


async def list_payments(request: Request) -> Response:
    world = world_of(request)
    rows = "".join(
        f'<li><a class="friend" href="/c/pay/{session.id}"><span>{escape(_name(session))} {_yen(session)}'
        f"<small>{_state(world, session)}・{_day(session.created)}</small></span></a></li>"
        for session in reversed(world.stripe.sessions.values())
    )
    body = f"<ul>{rows}</ul>" if rows else "<p>まだお支払いはありません。</p>"
    return page("お支払いの一覧", f'{_PRACTICE}{body}<p class="back"><a href="/">← スマホの画面へ</a></p>')


def _open_page(world: World, session: CheckoutSession, *, declined: bool) -> Response:
    trouble = (
        '<p role="alert" class="trouble">カードが拒否されました。別の方法でお支払いください。</p>' if declined else ""
    )
    konbini = _button("konbini", "コンビニで支払う", quiet=True) if session.offers_konbini else ""
    buttons = f"{_button('card', 'カードで支払う')}{_button('declined', 'カードが拒否される', quiet=True)}{konbini}"
    body = (
        f"{_PRACTICE}{trouble}<p>{escape(world.config.account_name)}</p>{_summary(session)}"
        f'{_form(session, buttons)}<p class="back">{_leave(session)}</p>'
    )
    return page(_TITLE, body, leads_to=_origin(session.success_url))


def _konbini_page(world: World, session: CheckoutSession) -> Response:
    until = world.stripe.payment_intents[str(session.payment_intent)].payable_until or 0
    buttons = _button("paid", "コンビニで支払った") + _button("missed", "支払わずに期限が過ぎた", quiet=True)
    body = (
        f"{_PRACTICE}{_summary(session)}<dl><dt>お支払い番号</dt><dd>123456</dd><dt>確認番号</dt><dd>09012345678</dd>"
        f"<dt>お支払い期限</dt><dd>{_day(until)}</dd></dl>"
        f'{_form(session, buttons)}<p class="back">{_link(session.return_url, "申込みのページへ進む")}</p>'
    )
    return page("コンビニでのお支払い", body)


def _summary(session: CheckoutSession) -> str:
    until = f"<p>{_day(session.expires_at)} までにお支払いください。</p>" if session.is_open else ""
    return f'<p class="amount">{_yen(session)}</p><p>{escape(_name(session))}</p>{until}'


def _form(session: CheckoutSession, buttons: str) -> str:
    """With an address of its own: otherwise the fragment of the page's address would follow the buyer to the shop."""
    return f'<form method="post" action="/c/pay/{session.id}">{buttons}</form>'


def _button(action: str, words: str, *, quiet: bool = False) -> str:
    return (
        f'<button type="submit" name="action" value="{action}" class="wide{" quiet" if quiet else ""}">{words}</button>'
    )


def _leave(session: CheckoutSession) -> str:
    return "" if session.cancel_url is None else _link(session.cancel_url, "← 支払わずに戻る")


def _link(url: str, words: str) -> str:
    return f'<a href="{escape(url)}">{words}</a>'


def _state(world: World, session: CheckoutSession) -> str:
    if world.stripe.waits_for_konbini(session):
        return "コンビニでのお支払い待ち"
    return "お支払い済み" if session.payment_status == "paid" else _STATES.get(session.status, "未払い")


def _name(session: CheckoutSession) -> str:
    return "、".join(str(item["description"]) for item in session.items)


def _yen(session: CheckoutSession) -> str:
    return f"¥{session.amount_total:,}"


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, JST).strftime("%Y/%m/%d %H:%M")


def _origin(url: str) -> str:
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    return origin if _ORIGIN.fullmatch(origin) else ""


def _session(request: Request) -> CheckoutSession | None:
    world = world_of(request)
    world.stripe.let_time_pass(world.clock.now_seconds())
    return world.stripe.sessions.get(request.path_params["id"])


def _missing() -> Response:
    return page("ページが見つかりません", "<p>このお支払いページはありません。</p>", 404)
