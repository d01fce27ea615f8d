"""The rooms of ChatWork, to read what the product has posted."""

from datetime import datetime
from html import escape

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.sandbox.chatwork import Room, RoomAccess, RoomMessage
from tsudoi.sandbox.clock import JST
from tsudoi.sandbox.pages import forms
from tsudoi.sandbox.pages.forms import Form
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.wire import is_whole, world_of

_TITLE = "ChatWork のルーム"
_ABOUT = (
    "<p>ChatWork の代わりです。集いが送ったお知らせは、だれにも届かず、ここで読めます。"
    '<a href="/troubles">不具合を起こす</a>こともできます。</p>'
)
_BACK = '<p class="back"><a href="/chatwork">← ルームの一覧へ</a></p>'
_ACCESS_WORDS = {
    RoomAccess.MEMBER: "送れます",
    RoomAccess.NOT_MEMBER: "メンバーではありません（403）",
    RoomAccess.GONE: "ルームがありません（404）",
}


async def list_rooms(request: Request) -> Response:
    rows = [_row(room) for room in world_of(request).chatwork.rooms.values()]
    listed = forms.rows_or(rows, "まだメッセージは届いていません。")
    return page(_TITLE, f"{_ABOUT}{listed}{forms.BACK_TO_PHONES}")


def _row(room: Room) -> str:
    last = room.messages[-1] if room.messages else None
    words = "" if last is None else " ".join(last.body.split())[:60]
    state = f"{len(room.messages):,} 通・{_ACCESS_WORDS[room.access]}"
    return forms.row(f"/chatwork/rooms/{room.room_id}", room.name, words, state)


async def show_room(request: Request) -> Response:
    room = _wanted(request)
    if room is None:
        return _missing()
    saved = forms.SAVED if "saved" in request.query_params else ""
    words = {str(access): text for access, text in _ACCESS_WORDS.items()}
    access = forms.choice_field("access", "集いから見たこのルーム", words, room.access)
    messages = "".join(_message(message) for message in reversed(room.messages))
    body = (
        f"<p>ルーム番号 {room.room_id}</p>{saved}{forms.form(f'/chatwork/rooms/{room.room_id}', access, '保存する')}"
        f"<h2>メッセージ（新しい順）</h2>{messages or '<p>まだありません。</p>'}{_BACK}"
    )
    return page(room.name, body)


def _message(message: RoomMessage) -> str:
    at = datetime.fromtimestamp(message.at / 1000, JST).strftime("%Y/%m/%d %H:%M:%S")
    return f'<article class="message"><small>{at}</small><div class="mail-text">{escape(message.body)}</div></article>'


@forms.posted
def save_room(request: Request, form: Form) -> Response:
    access = form.get("access", "")
    room = _wanted(request)
    if room is None:
        return _missing()
    if access in list(RoomAccess):
        room.access = RoomAccess(access)
    return RedirectResponse(f"{request.url.path}?saved", 303)


def _wanted(request: Request) -> Room | None:
    number = request.path_params["room_id"]
    return world_of(request).chatwork.rooms.get(int(number)) if is_whole(number) else None


def _missing() -> Response:
    return page(_TITLE, f"<p>このルームはありません。</p>{_BACK}", 404)
