"""Shops, one shop, and the customers who are linked to LINE.

The demo has two shops with tokens, an open and a closed ticket, and two links, one of them broken.
"""

import re
from typing import Any

from playwright.sync_api import Page, Route

from tools.screenshots.scene import Scene, Step, admin, alert, breaks, holds, pause, press, says, see

_AT, _FAILED_AT, _UNTIL = "2026-11-20T10:15:00+09:00", "2026-11-20T10:41:00+09:00", "2026-11-20T10:42:00+09:00"
_WORKS: dict[str, Any] = {
    "system": "stores",
    "light": "ok",
    "failures_in_a_row": 0,
    "last_success_at": _AT,
    "last_failure_at": None,
    "last_error": None,
    "breaker": "closed",
    "open_until": None,
}
_PAUSED = {
    **_WORKS,
    "light": "fail",
    "failures_in_a_row": 5,
    "last_failure_at": _FAILED_AT,
    "last_error": "HTTP 503",
    "breaker": "open",
    "open_until": _UNTIL,
}
_WEAK = {**_WORKS, "light": "warn", "failures_in_a_row": 1, "last_failure_at": _FAILED_AT, "last_error": "timeout"}
_UNKNOWN = {**_WORKS, "light": "unknown", "last_success_at": None}
_SHARED = [
    {**_WORKS, "system": "chatwork"},
    {**_UNKNOWN, "system": "sms"},
    {**_WEAK, "system": "email"},
    {**_WORKS, "system": "line"},
    {**_WORKS, "system": "openai"},
    {**_UNKNOWN, "system": "remotelock", "light": "stub"},
]


def _shop(number: int, name: str, **more: Any) -> dict[str, Any]:
    code = f"shop{number}"
    return {
        "id": number,
        "code": code,
        "name": name,
        "shop_status": "open",
        "shop_email": f"{code}@tsudoi.example",
        "phone": "052-123-4567",
        "stores_public_url": f"https://coubic.com/{code}",
        "merchant_public_id": code,
        "merchant_canonical_id": f"mc_{number}",
        "has_token": True,
        "open_tickets": 0,
        "links": 12 * number,
        "help_url": f"https://tsudoi.example.jp/help/{code}",
        "systems": [_WORKS],
        "updated_at": _AT,
        **more,
    }


_TROUBLED = [
    _shop(1, "名古屋栄店", systems=[_PAUSED], open_tickets=2),
    _shop(2, "大阪梅田店", systems=[_WEAK], links=0),
    _shop(3, "とても長い名前の店舗・東京駅八重洲地下街中央口本店アネックス", links=12_345),
    _shop(4, "福岡天神店", has_token=False, systems=[_UNKNOWN], links=0),
    _shop(5, "札幌大通店", shop_status="preparing", has_token=False, systems=[_UNKNOWN], links=0),
    _shop(6, "仙台駅前店", shop_status="closed", links=3),
]
_MANY = {"shops": [_shop(number, f"店舗{number}") for number in range(1, 61)], "systems": _SHARED}
_REFUSED_TOKEN = {
    "ok": False,
    "code": "STORES_LIST_FAILED",
    "message": "STORES予約がこのトークンを受け付けませんでした。トークンとマーチャントIDを確認してください。",
    "latency_ms": 143,
}
_CONFLICT = {
    "code": "LINK_CONFLICT",
    "message": "このLINEは、すでに別のお客さまと連携しています。先に今の連携を解除してください。",
    "details": [{"field": "line_user_id", "reason": "TAKEN"}],
}
_NO_LINKS: dict[str, Any] = {"links": [], "next_before": None}
_LINK = {
    "shop_id": 1,
    "shop_name": "名古屋栄店",
    "external_user_id": "U0123456789abcdef0123456789abcdef",
    "created_at": _AT,
    "updated_at": _AT,
}
_LINKS = {
    "links": [
        {**_LINK, "id": 9, "display_name": "山田 太郎", "stores_customer_id": "1001", "state": "valid"},
        {**_LINK, "id": 8, "display_name": None, "stores_customer_id": "123456789012345678", "state": "unknown"},
        {
            **_LINK,
            "id": 7,
            "display_name": "勅使河原 龍之介（りゅう）",
            "stores_customer_id": "1999",
            "state": "broken",
        },
    ],
    "next_before": 7,
}


def _shop_page(name: str, *steps: Step, shop: str = "名古屋栄店", **options: Any) -> Scene:
    """The page of a shop, which is found in the list."""
    return admin(f"shop-{name}", "shops", _opened(shop), *steps, **options)


def _opened(shop: str) -> Step:
    def go(page: Page) -> None:
        page.get_by_role("link", name=shop, exact=True).click()
        page.get_by_role("heading", level=1, name=shop).wait_for()
        page.get_by_role("button", name="接続を確かめる").wait_for()
        page.get_by_text("初期値を使っています").first.wait_for()

    return go


def _in_trouble(page: Page) -> None:
    """The first shop of the demo, with the state of one whose calls are paused."""

    def answer(route: Route) -> None:
        real = route.fetch()
        changed = real.json() | {"systems": [_PAUSED], "merchant_canonical_id": None}
        route.fulfill(response=real, json=changed)

    page.route(re.compile(r"/api/admin/shops/\d+$"), answer)


def _fill(**fields: str) -> Step:
    def fill(page: Page) -> None:
        for label, value in fields.items():
            page.get_by_role("dialog").get_by_label(label, exact=True).fill(value)

    return fill


def _link_form(page: Page) -> None:
    press("^手で連携する$")(page)
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("店舗").select_option("名古屋栄店")
    dialog.get_by_label("LINEのユーザー").fill(str(_LINK["external_user_id"]))
    dialog.get_by_label("STORESの顧客番号").fill("1002")
    dialog.get_by_role("button", name="来店時に本人を確認").click()


def _linked_otherwise(page: Page) -> None:
    def answer(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=409, json=_CONFLICT)
        else:
            route.continue_()

    page.route("**/api/admin/customer-links", answer)


SHOP_SCENES: tuple[Scene, ...] = (
    admin("shops", "shops"),
    admin("shops-troubled", "shops", given=(says("admin/shops", {"shops": _TROUBLED, "systems": _SHARED}),)),
    admin("shops-many", "shops", given=(says("admin/shops", _MANY),), whole=False),
    admin("shops-none", "shops", given=(says("admin/shops", {"shops": [], "systems": _SHARED}),)),
    admin("shops-not-found", "shops?q=ありません", see("条件に合う")),
    admin("shops-loading", "shops", pause(1200), given=(holds("admin/shops"),), loading=True),
    admin("shops-failed", "shops", alert, given=(breaks("admin/shops"),)),
    admin("shops-new", "shops", press("^店舗を登録する$"), pause(400), whole=False),
    admin(
        "shops-new-refused",
        "shops",
        press("^店舗を登録する$"),
        _fill(店舗コード="Sakae 1"),
        press("^登録する$"),
        pause(300),
    ),
    _shop_page("detail"),
    _shop_page("troubled", see("一時停止中"), given=(_in_trouble,)),
    _shop_page("edit", press("^変更する$"), _fill(店舗コード="sakae"), see("アドレスが変わります"), whole=False),
    _shop_page(
        "token", press("^入れ替える$"), _fill(トークン="空白 の値"), press("^保存する$"), pause(300), whole=False
    ),
    _shop_page("token-works", press("^接続を確かめる$"), see("接続できました")),
    _shop_page(
        "token-waiting", press("^接続を確かめる$"), see("返事を待って"), given=(holds("admin/shops/*/secrets/*/test"),)
    ),
    _shop_page(
        "token-refused",
        press("^接続を確かめる$"),
        see("接続できませんでした"),
        given=(says("admin/shops/*/secrets/*/test", _REFUSED_TOKEN),),
    ),
    _shop_page("token-delete", press("^削除する$"), pause(400), whole=False),
    _shop_page("parameter", press("^外部APIの応答を待つ秒数を変える$"), pause(400), whole=False),
    _shop_page("parameter-shop", press("^STORES予約の疎通確認に使う店舗を変える$"), pause(400), whole=False),
    admin("shop-missing", "shops/999999"),
    admin("customers", "customers", given=(says("admin/customer-links*", _LINKS),)),
    admin("customers-none", "customers", given=(says("admin/customer-links*", _NO_LINKS),)),
    admin("customers-not-found", "customers?q=ありません", see("条件に合う")),
    admin("customers-failed", "customers", alert, given=(breaks("admin/customer-links*"),)),
    admin("customers-link", "customers", _link_form, pause(300), whole=False),
    admin(
        "customers-link-taken",
        "customers",
        _link_form,
        _linked_otherwise,
        press("^連携する$"),
        alert,
        lambda page: page.get_by_role("alert").scroll_into_view_if_needed(),
        whole=False,
    ),
    admin("customers-link-refused", "customers", press("^手で連携する$"), press("^連携する$"), pause(300), whole=False),
    admin("customers-unlink", "customers", press("の連携を解除する$"), pause(400), whole=False),
)
