"""The phones that got short messages, whichever provider carried them."""

from datetime import datetime
from html import escape
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.sandbox.clock import JST
from tsudoi.sandbox.pages import forms
from tsudoi.sandbox.pages.forms import Form
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.sms import PhoneState, SmsMessage, SmsNetwork, national
from tsudoi.sandbox.wire import world_of

_TITLE = "SMS の届いた電話"
_ABOUT = (
    "<p>SMS を送る会社の代わりです。集いが送った SMS は、だれの電話にも届かず、ここで読めます。"
    '<a href="/troubles">不具合を起こす</a>こともできます。</p>'
)
_BACK = '<p class="back"><a href="/sms">← 電話の一覧へ</a></p>'
_STATE_WORDS = {
    PhoneState.REACHABLE: "届きます",
    PhoneState.OPTED_OUT: "受け取りを断っています",
    PhoneState.UNREACHABLE: "圏外です",
    PhoneState.BLOCKED: "携帯電話会社に止められます",
}


async def list_phones(request: Request) -> Response:
    network = world_of(request).sms
    rows = [_row(network, number) for number in network.numbers()]
    return page(_TITLE, f"{_ABOUT}{forms.rows_or(rows, 'まだ SMS は届いていません。')}{forms.BACK_TO_PHONES}")


def _row(network: SmsNetwork, number: str) -> str:
    messages = network.to(number)
    words = messages[-1].body[:60] if messages else ""
    state = f"{len(messages):,} 通・{_STATE_WORDS[network.state_of(number)]}"
    return forms.row(f"/sms/phones/{quote(number)}", national(number), words, state)


async def show_phone(request: Request) -> Response:
    network, number = world_of(request).sms, request.path_params["number"]
    if number not in network.numbers():
        return _missing()
    saved = forms.SAVED if "saved" in request.query_params else ""
    words = {str(state): text for state, text in _STATE_WORDS.items()}
    state = forms.choice_field("state", "この電話", words, network.state_of(number))
    messages = "".join(_message(message) for message in reversed(network.to(number)))
    body = (
        f"{saved}{forms.form(f'/sms/phones/{quote(number)}', state, '保存する')}"
        f"<h2>SMS（新しい順）</h2>{messages or '<p>まだありません。</p>'}{_BACK}"
    )
    return page(national(number), body)


def _message(message: SmsMessage) -> str:
    at = datetime.fromtimestamp(message.at / 1000, JST).strftime("%Y/%m/%d %H:%M:%S")
    arrived = "届きました" if message.state is PhoneState.REACHABLE else "届きませんでした"
    facts = f"{at}・{arrived}・{message.segments} 通分・{message.provider}"
    text = f'<div class="mail-text">{escape(message.body)}</div>'
    return f'<article class="message"><small>{facts}</small>{text}</article>'


@forms.posted
def save_phone(request: Request, form: Form) -> Response:
    network, number = world_of(request).sms, request.path_params["number"]
    state = form.get("state", "")
    if number not in network.numbers():
        return _missing()
    if state in list(PhoneState):
        network.phones[number] = PhoneState(state)
    return RedirectResponse(f"/sms/phones/{quote(number)}?saved", 303)


def _missing() -> Response:
    return page(_TITLE, f"<p>この電話には届いていません。</p>{_BACK}", 404)
