"""The reservations of STORES: searching, adding, changing and deleting them."""

from datetime import datetime, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.sandbox.clock import JST, iso_seconds
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.pages import forms
from tsudoi.sandbox.pages.forms import Form
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.pages.stores_words import STATUS_WORDS, merchant_field, reservation_row, tabs
from tsudoi.sandbox.state import World
from tsudoi.sandbox.stores.records import iso
from tsudoi.sandbox.wire import is_whole, world_of

Record = dict[str, Any]

_TITLE = "STORES の予約"
_SHOWN = 200
_LENGTH = timedelta(hours=1)
_BACK = '<p class="back"><a href="/stores/reservations">← 予約の一覧へ</a></p>'


async def list_reservations(request: Request) -> Response:
    query, account = request.query_params.get("q", "").strip(), world_of(request).stores
    status = request.query_params.get("status", "")
    named = [(record, account.shown_reservation(record)["customer_name"]) for record in account.reservations.values()]
    found = [each for each in named if _matches(*each, query) and status in ("", each[0]["status"])]
    found.sort(key=lambda each: each[0]["booking_start"], reverse=True)
    more = f"<p>ほか {len(found) - _SHOWN:,} 件は表示していません。</p>" if len(found) > _SHOWN else ""
    choice = forms.choice_field("status", "状態", {"": "すべて", **STATUS_WORDS}, status)
    listed = forms.rows_or([reservation_row(*each) for each in found[:_SHOWN]], "予約がありません。")
    body = (
        f"{tabs('/stores/reservations')}{forms.search_form(query, '氏名・メニューで探す', choice)}"
        f'<p role="status">{len(found):,} 件</p>'
        '<p class="add"><a href="/stores/reservations/new">予約を追加する</a></p>'
        f"{listed}{more}{forms.BACK_TO_PHONES}"
    )
    return page(_TITLE, body)


def _matches(record: Record, person: str, query: str) -> bool:
    texts = (person or "", record["booking_service_name"] or "", str(record["canonical_id"]))
    return any(query.casefold() in text.casefold() for text in texts)


async def new_reservation(request: Request) -> Response:
    """Begins tomorrow at ten, unless the person chooses otherwise."""
    world, customer = world_of(request), request.query_params.get("customer", "")
    person = world.stores.customers.get(int(customer)) if is_whole(customer) else None
    tomorrow = datetime.fromtimestamp(world.clock.now_seconds(), JST) + timedelta(days=1)
    record = {
        "merchant_canonical_id": (person or {}).get("merchant_canonical_id")
        or next(iter(world.stores.merchants()), "mc_1"),
        "customer_canonical_id": None if person is None else person["canonical_id"],
        "booking_service_name": "個別レッスン",
        "booking_start": iso(tomorrow.replace(hour=10, minute=0, second=0, microsecond=0)),
        "num_attendees": 1,
        "status": "accepted",
    }
    return page("予約を追加", f"{forms.form('/stores/reservations/new', _fields(world, record), '追加する')}{_BACK}")


@forms.posted
def add_reservation(request: Request, form: Form) -> Response:
    world = world_of(request)
    given = _given(world, form, {})
    number = world.stores.next_reservation_id()
    world.stores.put_reservation(number, given, world.clock.now_ms())
    return RedirectResponse(f"/stores/reservations/{number}?saved", 303)


async def show_reservation(request: Request) -> Response:
    record = _wanted(request)
    if record is None:
        return _missing()
    world, address = world_of(request), f"/stores/reservations/{record['canonical_id']}"
    saved = forms.SAVED if "saved" in request.query_params else ""
    body = (
        f"<p>予約番号 {record['canonical_id']}</p>{saved}{forms.form(address, _fields(world, record), '保存する')}"
        f"{forms.form(f'{address}/delete', '', 'この予約を削除する', quiet=True)}{_BACK}"
    )
    return page("予約", body)


@forms.posted
def save_reservation(request: Request, form: Form) -> Response:
    world, record = world_of(request), _wanted(request)
    if record is None:
        return _missing()
    given = _given(world, form, record)
    world.stores.put_reservation(record["canonical_id"], {**record, **given}, world.clock.now_ms())
    return RedirectResponse(f"{request.url.path}?saved", 303)


@forms.posted
def delete_reservation(request: Request, _form: Form) -> Response:
    record = _wanted(request)
    if record is None:
        return _missing()
    del world_of(request).stores.reservations[record["canonical_id"]]
    return RedirectResponse("/stores/reservations", 303)


def _given(world: World, form: Form, before: Record) -> Record:
    merchant, people = form.get("merchant_canonical_id", ""), form.get("num_attendees", "")
    customer, begins = form.get("customer", ""), _moment(form.get("booking_start", ""))
    if not merchant or begins is None or not is_whole(people):
        raise Refusal(400, "店舗・開始日時・人数を正しく入れてください。")
    return {
        "merchant_canonical_id": merchant,
        "customer_canonical_id": int(customer) if is_whole(customer) else None,
        "booking_service_name": form.get("booking_service_name", ""),
        "booking_start": iso(begins),
        "checkout_at": iso(begins + _length(before)),
        "num_attendees": int(people),
        "status": form.get("status") or "accepted",
        "latest_changed_at": iso_seconds(world.clock.now_ms()),
    }


def _length(before: Record) -> timedelta:
    """A reservation that is moved keeps its length."""
    try:
        return datetime.fromisoformat(before["checkout_at"]) - datetime.fromisoformat(before["booking_start"])
    except (KeyError, TypeError, ValueError):
        return _LENGTH


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=JST)
    except ValueError:
        return None


def _fields(world: World, record: Record) -> str:
    people = {
        str(one["canonical_id"]): f"{one['name']}（{one['merchant_canonical_id']}）"
        for one in world.stores.customers.values()
    }
    begins = datetime.fromisoformat(record["booking_start"]).astimezone(JST).strftime("%Y-%m-%dT%H:%M")
    customer = str(record["customer_canonical_id"] or "")
    return "".join(
        (
            forms.choice_field("status", "状態", STATUS_WORDS, record["status"] or ""),
            forms.text_field("booking_start", "開始日時", begins, "datetime-local"),
            forms.text_field("booking_service_name", "メニュー", record["booking_service_name"]),
            forms.choice_field("customer", "顧客", {"": "（なし）", **people}, customer),
            forms.text_field("num_attendees", "人数", record["num_attendees"], "number", ' min="1"'),
            merchant_field(world, record["merchant_canonical_id"]),
        )
    )


def _wanted(request: Request) -> Record | None:
    number = request.path_params["id"]
    return world_of(request).stores.reservations.get(int(number)) if is_whole(number) else None


def _missing() -> Response:
    return page(_TITLE, f"<p>この予約はありません。</p>{_BACK}", 404)
