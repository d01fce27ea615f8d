"""Shops in the office's console: the list, one shop with its secrets and parameters, and its customers on LINE."""

import itertools
import json
import re
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.admin_desk import Colleague, colleague
from tests.browser.complaints import Complaints
from tests.browser.conftest import Demo
from tests.browser.test_screens import check_every_size

Office = Callable[..., Page]
_numbers = itertools.count(1)


@dataclass(frozen=True)
class ShopDesk:
    """Shops of each test's own, and the sandbox as STORES."""

    office: Colleague
    box: httpx2.Client

    def shop(self, **more: Any) -> dict[str, Any]:
        code = f"s{next(_numbers)}-{uuid.uuid4().hex[:8]}"
        fields = {"code": code, "name": f"店舗{code}", "merchant_canonical_id": f"mc-{code}", **more}
        made: dict[str, Any] = self.office.send("POST", "shops", fields)
        return made

    def token(self, merchant: str) -> str:
        """A token that STORES knows for this merchant."""
        token = f"tok-{uuid.uuid4().hex}"
        self.box.put(f"/_sandbox/stores/tokens/{token}", json={"merchants": [merchant]}).raise_for_status()
        return token

    def working_token(self, shop: dict[str, Any]) -> str:
        """A token that STORES knows, set for this shop."""
        token = self.token(shop["merchant_canonical_id"])
        self.office.send("PUT", f"shops/{shop['id']}/secrets/STORES_API_TOKEN", {"value": token})
        return token

    @contextmanager
    def trouble(self, token: str, **rule: Any) -> Iterator[None]:
        """STORES is slow or broken for this token alone."""
        rules = {"rules": [{"endpoint": "stores", "token": token, **rule}]}
        self.box.put("/_sandbox/faults", json=rules).raise_for_status()
        try:
            yield
        finally:
            self.box.delete("/_sandbox/faults").raise_for_status()

    def link(self, shop: dict[str, Any], line_user_id: str, customer: str) -> None:
        body = {"shop_id": shop["id"], "line_user_id": line_user_id, "stores_customer_id": customer, "reason": "来店"}
        self.office.send("POST", "customer-links", body)

    def parameter(self, key: str, shop: dict[str, Any]) -> dict[str, Any]:
        found = self.office.get(f"sys-params?shop_id={shop['id']}")["parameters"]
        return next(one for one in found if one["key"] == key)

    def links(self, shop: dict[str, Any]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.office.get(f"customer-links?shop_id={shop['id']}")["links"]
        return found


@pytest.fixture
def desk(demo: Demo) -> Iterator[ShopDesk]:
    with colleague(demo) as office, httpx2.Client(base_url=demo.phones, timeout=60, trust_env=False) as box:
        yield ShopDesk(office, box)


def row(page: Page, table: str, words: str) -> Locator:
    return page.get_by_role("table", name=table).locator("tbody tr", has_text=words)


def test_a_shop_is_added_gets_its_token_and_is_tried(office: Office, desk: ShopDesk) -> None:
    code = f"new-{uuid.uuid4().hex[:8]}"
    token = desk.token(f"mc-{code}")
    page = office("shops", "phone")
    page.get_by_role("button", name="店舗を登録する", exact=True).click()
    dialog = page.get_by_role("dialog", name="店舗を登録")
    dialog.get_by_label("店舗コード").fill("Sakae 1")
    dialog.get_by_label("電話番号").fill("でんわ")
    dialog.get_by_role("button", name="登録する").click()
    expect(dialog.get_by_label("店舗の名前")).to_be_focused()
    expect(dialog.get_by_text("半角の英小文字・数字")).to_be_visible()
    expect(dialog.get_by_text("例：052-123-4567")).to_be_visible()
    check_every_size(page)
    dialog.get_by_label("店舗の名前").fill(f"新しい店{code}")
    dialog.get_by_label("店舗コード").fill(code)
    dialog.get_by_label("電話番号").fill("０５２－１２３－４５６７")
    dialog.get_by_label("マーチャントID").fill(f"mc-{code}")
    dialog.get_by_role("button", name="登録する").dblclick()
    expect(page.get_by_role("heading", level=1, name=f"新しい店{code}")).to_be_visible()
    shops = desk.office.get("shops")["shops"]
    assert [shop["phone"] for shop in shops if shop["code"] == code] == ["052-123-4567"]

    page.get_by_role("button", name="接続トークンを登録する").click()
    dialog = page.get_by_role("dialog", name="接続トークンの登録")
    dialog.get_by_label("トークン", exact=True).fill("空白 の値")
    dialog.get_by_role("button", name="保存する").click()
    expect(dialog.get_by_text("空白のない値を貼り付けてください")).to_be_visible()
    check_every_size(page)
    dialog.get_by_label("トークン", exact=True).fill(f"{token}\n")
    dialog.get_by_role("button", name="保存する").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_text(f"••••{token[-4:]}")).to_be_visible()
    assert token not in page.content()
    page.get_by_role("button", name="接続を確かめる").click()
    expect(page.get_by_text("STORES予約に接続できました。")).to_be_visible()
    card = page.get_by_role("region", name="STORES予約との接続")
    expect(card.get_by_text("正常", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="最近の呼び出し").get_by_text("成功")).to_be_visible()
    check_every_size(page)

    page.go_back()
    expect(page.get_by_role("heading", level=1, name="店舗")).to_be_visible()
    page.get_by_label("店舗を探す").fill(code)
    expect(row(page, "店舗", code)).to_contain_text("正常")
    expect(page.get_by_role("table", name="店舗").locator("tbody tr")).to_have_count(1)
    check_every_size(page)


def test_a_token_that_stores_refuses_is_removed(office: Office, desk: ShopDesk) -> None:
    shop = desk.shop()
    desk.office.send("PUT", f"shops/{shop['id']}/secrets/STORES_API_TOKEN", {"value": "tok-that-nobody-knows"})
    page = office(f"shops/{shop['id']}", "phone")
    page.get_by_role("button", name="接続を確かめる").click()
    expect(page.get_by_text("このトークンを受け付けませんでした")).to_be_visible()
    check_every_size(page)
    page.get_by_role("button", name="削除する").click()
    dialog = page.get_by_role("dialog", name="接続トークンの削除")
    expect(dialog).to_contain_text("末尾 nows")
    expect(dialog.get_by_role("button", name="やめる")).to_be_focused()
    check_every_size(page)
    dialog.get_by_role("button", name="削除する").dblclick()
    expect(page.get_by_text("接続トークンを削除しました。")).to_be_visible()
    expect(page.get_by_text("登録するまで、この店舗のお客さまを")).to_be_visible()
    expect(page.get_by_text("このトークンを受け付けませんでした")).to_have_count(0)
    assert not desk.office.get(f"shops/{shop['id']}")["has_token"]


def test_a_slow_answer_is_waited_for_in_words(office: Office, desk: ShopDesk) -> None:
    shop = desk.shop()
    token = desk.working_token(shop)
    page = office(f"shops/{shop['id']}", "phone")
    with desk.trouble(token, kind="slow", seconds=3):
        page.get_by_role("button", name="接続を確かめる").click()
        expect(page.get_by_text("STORES予約の返事を待っています")).to_be_visible()
        expect(page.get_by_text("STORES予約に接続できました。")).to_be_visible()
        expect(page.get_by_text("STORES予約の返事を待っています")).to_have_count(0)


def test_a_shop_whose_calls_are_paused_says_until_when(office: Office, desk: ShopDesk, demo: Demo) -> None:
    shop = desk.shop()
    token = desk.working_token(shop)
    for key, value in {"api_retry_count": 0, "stores_breaker_failures": 1, "stores_breaker_seconds": 600}.items():
        desk.office.send("PUT", f"sys-params/{key}", {"value": value, "scope": "shop", "shop_id": shop["id"]})
    asked = {"channel": "shop", "actor_type": "hq", "shop_id": shop["id"], "payload": {"page": 1}}
    with desk.trouble(token, kind="error_status", status=503), pytest.raises(subprocess.CalledProcessError):
        demo.command("apicomm", "call", "stores.list_reservations", "--request", json.dumps(asked))
    page = office(f"shops?q={shop['code']}", "phone")
    expect(row(page, "店舗", shop["code"])).to_contain_text("異常")
    expect(row(page, "店舗", shop["code"])).to_contain_text("一時停止中（再開の予定")
    page.get_by_role("link", name=shop["name"], exact=True).click()
    card = page.get_by_role("region", name="STORES予約との接続")
    expect(card.get_by_text(re.compile(r"一時停止中（再開の予定 \d{4}/\d\d/\d\d \d\d:\d\d）"))).to_be_visible()
    expect(card.get_by_text("お客さまを待たせないように")).to_be_visible()
    expect(page.get_by_role("region", name="最近の呼び出し").get_by_text("失敗（503）")).to_be_visible()
    check_every_size(page)


def test_a_parameter_is_set_for_one_shop_and_removed(office: Office, desk: ShopDesk) -> None:
    shop = desk.shop()
    label = "STORES予約を一時停止する秒数"
    page = office(f"shops/{shop['id']}", "phone")
    line = page.get_by_role("listitem").filter(has_text=label)
    expect(line).to_contain_text("30秒")
    expect(line).to_contain_text("初期値を使っています")
    line.get_by_role("button", name=f"{label}を変える").click()
    dialog = page.get_by_role("dialog", name=label)
    dialog.get_by_label("値").fill("1000")
    dialog.get_by_role("button", name="保存する").click()
    expect(dialog.get_by_text("5〜600秒の整数で入力してください")).to_be_visible()
    expect(dialog.get_by_label("値")).to_be_focused()
    check_every_size(page)
    dialog.get_by_label("値").fill("６０")
    dialog.get_by_role("button", name="保存する").click()
    expect(page.get_by_text(f"{shop['name']}の「{label}」を60秒にしました。")).to_be_visible()
    expect(line).to_contain_text("この店舗だけの設定です。")
    assert desk.parameter("stores_breaker_seconds", shop)["effective"]["value"] == 60
    line.get_by_role("button", name=f"{label}を変える").click()
    dialog.get_by_label("すべての店舗").check()
    expect(dialog.get_by_text("すべての店舗の呼び出しに、すぐに反映されます。")).to_be_visible()
    expect(dialog.get_by_text("この店舗では変わりません")).to_be_visible()
    check_every_size(page)
    dialog.get_by_label(f"{shop['name']}だけ").check()
    dialog.get_by_role("button", name="この店舗の設定を消す").click()
    expect(line).to_contain_text("初期値を使っています")
    assert desk.parameter("stores_breaker_seconds", shop)["effective"]["value"] == 30


def test_a_shop_is_changed_and_says_what_becomes_of_its_address(
    office: Office, desk: ShopDesk, complaints: Complaints
) -> None:
    shop, other = desk.shop(phone="052-123-4567"), desk.shop()
    page = office(f"shops/{shop['id']}", "phone")
    about = page.get_by_role("region", name="店舗の情報")
    about.get_by_role("button", name="変更する").click()
    dialog = page.get_by_role("dialog", name=f"{shop['name']}の変更")
    dialog.get_by_label("店舗コード").fill(other["code"])
    expect(dialog.get_by_text("ヘルプページのアドレスが変わります")).to_be_visible()
    check_every_size(page)
    dialog.get_by_role("button", name="保存する").click()
    expect(dialog.get_by_text("別の店舗が使っています。別の値にしてください").first).to_be_visible()
    expect(dialog.get_by_label("店舗コード")).to_be_focused()
    complaints.expect("status of 409")
    dialog.get_by_label("店舗コード").fill(f"{shop['code']}x")
    dialog.get_by_label("電話番号").fill("")
    dialog.get_by_label("営業の状態").select_option("閉店")
    dialog.get_by_role("button", name="保存する").click()
    expect(dialog).to_be_hidden()
    expect(about).to_contain_text("閉店")
    saved = desk.office.get(f"shops/{shop['id']}")
    assert (saved["code"], saved["phone"], saved["shop_status"]) == (f"{shop['code']}x", None, "closed")
    expect(page.get_by_role("region", name="お客さま用のヘルプページ")).to_contain_text(f"/help/{shop['code']}x")


def test_a_customer_is_linked_by_hand_and_unlinked(
    office: Office, desk: ShopDesk, new_friend: Callable[[str], str]
) -> None:
    shop = desk.shop()
    name = f"連携{uuid.uuid4().hex[:6]}"
    user_id = new_friend(name)
    page = office(f"customers?shop_id={shop['id']}", "phone")
    expect(page.get_by_role("heading", name="条件に合うお客さまはいません")).to_be_visible()
    check_every_size(page)
    page.get_by_role("button", name="手で連携する").click()
    dialog = page.get_by_role("dialog", name="お客さまとLINEを手で連携")
    expect(dialog.get_by_label("店舗")).to_have_value(str(shop["id"]))
    dialog.get_by_role("button", name="連携する").click()
    expect(dialog.get_by_text("LINEのユーザーIDを入力してください")).to_be_visible()
    expect(dialog.get_by_label("LINEのユーザー")).to_be_focused()
    check_every_size(page)
    dialog.get_by_label("LINEのユーザー").fill(f" {user_id}")
    expect(dialog.get_by_text(f"LINEの{name}さんです。")).to_be_visible()
    dialog.get_by_label("STORESの顧客番号").fill("１２３")
    dialog.get_by_role("button", name="来店時に本人を確認").click()
    dialog.get_by_role("button", name="連携する", exact=True).dblclick()
    expect(page.get_by_text(f"LINEの{name}さんと、{shop['name']}の顧客番号123を連携しました。")).to_be_visible()
    expect(row(page, "連携したお客さま", name)).to_contain_text("未確認")
    check_every_size(page)
    [made] = desk.links(shop)
    assert (made["external_user_id"], made["stores_customer_id"]) == (user_id, "123")

    page.get_by_role("button", name=f"{name}さんの連携を解除する").click()
    dialog = page.get_by_role("dialog", name="お客さまの連携を解除")
    dialog.get_by_role("button", name="連携を解除する").click()
    expect(dialog.get_by_text("解除する理由を書いてください")).to_be_visible()
    check_every_size(page)
    dialog.get_by_role("button", name="本人からの申し出").click()
    dialog.get_by_role("button", name="連携を解除する").dblclick()
    expect(page.get_by_text("の連携を解除しました。")).to_be_visible()
    expect(row(page, "連携したお客さま", name)).to_have_count(0)
    assert desk.links(shop) == []


def test_a_link_that_stands_in_the_way_is_shown(
    office: Office, desk: ShopDesk, new_friend: Callable[[str], str], complaints: Complaints
) -> None:
    shop = desk.shop()
    first, second = new_friend("先に連携した方"), new_friend("あとから来た方")
    desk.link(shop, first, "777")
    page = office("customers", "phone")
    page.get_by_role("button", name="手で連携する").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("店舗").select_option(shop["name"])
    dialog.get_by_label("LINEのユーザー").fill(second)
    dialog.get_by_label("STORESの顧客番号").fill("777")
    dialog.get_by_role("button", name="電話で本人を確認").click()
    dialog.get_by_role("button", name="連携する", exact=True).click()
    expect(dialog.get_by_text("すでに別の連携があります")).to_be_visible()
    expect(dialog).to_contain_text("このお客さまは、すでに別のLINEと連携しています")
    check_every_size(page)
    complaints.expect("status of 409")
    dialog.get_by_role("button", name="今の連携を見る").click()
    expect(row(page, "連携したお客さま", "先に連携した方")).to_contain_text("777")
    expect(page).to_have_url(re.compile(f"q=777&shop_id={shop['id']}|shop_id={shop['id']}&q=777|q=%22777%22"))
    assert [link["external_user_id"] for link in desk.links(shop)] == [first]


def test_shops_are_narrowed_to_those_that_need_a_look_and_the_way_back_keeps_it(
    office: Office, desk: ShopDesk, demo: Demo
) -> None:
    quiet, tokenless = desk.shop(shop_status="preparing"), desk.shop()
    page = office("shops")
    expect(row(page, "店舗", quiet["code"])).to_be_visible()
    page.get_by_role("button", name=re.compile("^要確認")).click()
    expect(row(page, "店舗", quiet["code"])).to_have_count(0)
    expect(row(page, "店舗", tokenless["code"])).to_contain_text("トークン未登録")
    page.get_by_role("link", name=tokenless["name"], exact=True).click()
    expect(page.get_by_role("heading", level=1, name=tokenless["name"])).to_be_visible()
    page.go_back()
    expect(page.get_by_role("button", name=re.compile("^要確認"))).to_have_attribute("aria-pressed", "true")
    expect(row(page, "店舗", quiet["code"])).to_have_count(0)
    page.goto(f"{demo.product}/admin/shops/999999")
    expect(page.get_by_role("heading", name="この店舗は見つかりません")).to_be_visible()
    check_every_size(page)
    page.goto(f"{demo.product}/admin/shops/nothing")
    expect(page.get_by_role("heading", name="この店舗は見つかりません")).to_be_visible()


def test_the_address_of_the_help_page_is_copied(office: Office, desk: ShopDesk) -> None:
    shop = desk.shop()
    page = office(f"shops?q={shop['code']}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=f"{shop['name']}のヘルプページのアドレスをコピー").click()
    expect(page.get_by_role("button", name="コピーしました")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == shop["help_url"]
    page.context.clear_permissions()
