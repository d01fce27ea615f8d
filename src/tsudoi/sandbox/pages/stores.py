"""The customers of STORES: searching, adding, changing and deleting them, as a shop does in its dashboard."""

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.pages import forms
from tsudoi.sandbox.pages.forms import Form
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.pages.stores_words import BACK, merchant_field, reservation_row, tabs
from tsudoi.sandbox.state import World
from tsudoi.sandbox.stores.records import digits
from tsudoi.sandbox.wire import is_whole, world_of

Record = dict[str, Any]

_TITLE = "STORES の顧客"
_SHOWN = 200
_ABOUT = (
    "<p>STORES 予約の管理画面の代わりです。ここで直した内容は、集いがつぎに問い合わせたときに伝わります。"
    '<a href="/troubles">不具合を起こす</a>こともできます。</p>'
)
_TEXTS = ("name", "email", "primary_phone_number", "phone_number", "membership_number", "customer_memo")


async def list_customers(request: Request) -> Response:
    query = request.query_params.get("q", "").strip()
    found = [record for record in world_of(request).stores.customers.values() if _matches(record, query)]
    rows = [_row(record) for record in found[:_SHOWN]]
    more = f"<p>ほか {len(found) - _SHOWN:,} 人は表示していません。</p>" if len(found) > _SHOWN else ""
    listed = forms.rows_or(rows, "顧客がいません。")
    body = (
        f"{tabs('/stores')}{_ABOUT}{forms.search_form(query, '氏名・メール・電話番号で探す')}"
        f'<p role="status">{len(found):,} 人</p><p class="add"><a href="/stores/customers/new">顧客を追加する</a></p>'
        f"{listed}{more}{forms.BACK_TO_PHONES}"
    )
    return page(_TITLE, body)


def _row(record: Record) -> str:
    contact = "　".join(text for text in (record["email"], record["primary_phone_number"]) if text)
    name = record["name"] or "（名前なし）"
    shop = f"店舗 {record['merchant_canonical_id']}・顧客番号 {record['canonical_id']}"
    return forms.row(f"/stores/customers/{record['canonical_id']}", name, contact, shop)


def _matches(record: Record, query: str) -> bool:
    if not query:
        return True
    texts = (str(record[name] or "").casefold() for name in _TEXTS)
    number = digits(query)
    # A number with hyphens finds one without.
    by_number = bool(number) and not query.strip("0123456789-() +") and number in digits(record["primary_phone_number"])
    return by_number or any(query.casefold() in text for text in texts) or query == str(record["canonical_id"])


async def new_customer(request: Request) -> Response:
    world = world_of(request)
    record = {"merchant_canonical_id": next(iter(world.stores.merchants()), "mc_1")}
    fields = _fields(world, record)
    return page("顧客を追加", f"{forms.form('/stores/customers/new', fields, '追加する')}{BACK}")


@forms.posted
def add_customer(request: Request, form: Form) -> Response:
    account = world_of(request).stores
    number = account.next_customer_id()
    account.put_customer(number, _given(form))
    return RedirectResponse(f"/stores/customers/{number}?saved", 303)


async def show_customer(request: Request) -> Response:
    record = _wanted(request)
    if record is None:
        return _missing()
    world, address = world_of(request), f"/stores/customers/{record['canonical_id']}"
    saved = forms.SAVED if "saved" in request.query_params else ""
    visits = [reservation_row(one, record["name"]) for one in world.stores.reservations_of(record)]
    body = (
        f"<p>顧客番号 {record['canonical_id']}</p>{saved}{forms.form(address, _fields(world, record), '保存する')}"
        f"<h2>予約</h2>{forms.rows_or(visits, '予約はありません。')}"
        f'<p class="add"><a href="/stores/reservations/new?customer={record["canonical_id"]}">予約を追加する</a></p>'
        f"{forms.form(f'{address}/delete', '', 'この顧客を削除する', quiet=True)}{BACK}"
    )
    return page(record["name"] or "（名前なし）", body)


@forms.posted
def save_customer(request: Request, form: Form) -> Response:
    record = _wanted(request)
    if record is None:
        return _missing()
    world_of(request).stores.put_customer(record["canonical_id"], {**record, **_given(form)})
    return RedirectResponse(f"{request.url.path}?saved", 303)


@forms.posted
def delete_customer(request: Request, _form: Form) -> Response:
    record = _wanted(request)
    if record is None:
        return _missing()
    del world_of(request).stores.customers[record["canonical_id"]]
    return RedirectResponse("/stores", 303)


def _given(form: Form) -> Record:
    """An empty field is null, as it is for a person who has left it out. The name is a text in any case."""
    merchant = form.get("merchant_canonical_id", "")
    if not merchant:
        raise Refusal(400, "店舗を入れてください。")
    texts = {name: form[name] or None for name in _TEXTS if name in form}
    return {"merchant_canonical_id": merchant, **texts, "name": form.get("name", "")}


def _fields(world: World, record: Record) -> str:
    return "".join(
        (
            forms.text_field("name", "氏名", record.get("name")),
            forms.text_field("email", "メールアドレス", record.get("email"), "text", ' inputmode="email"'),
            forms.text_field("primary_phone_number", "電話番号", record.get("primary_phone_number"), "tel"),
            forms.text_field("phone_number", "ほかの電話番号", record.get("phone_number"), "tel"),
            forms.text_field("membership_number", "会員番号", record.get("membership_number")),
            forms.text_field("customer_memo", "メモ", record.get("customer_memo")),
            merchant_field(world, record["merchant_canonical_id"]),
        )
    )


def _wanted(request: Request) -> Record | None:
    number = request.path_params["id"]
    return world_of(request).stores.customers.get(int(number)) if is_whole(number) else None


def _missing() -> Response:
    return page(_TITLE, f"<p>この顧客はいません。</p>{BACK}", 404)
