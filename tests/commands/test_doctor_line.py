"""`tsudoi doctor` on LINE's side and on the sheet's: each check when all is well, and when it is not."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from pydantic import SecretStr

from tests.commands.doctor_fixtures import OK, PROBLEM, WARNING, Examine, clock, examine, product
from tests.factories.product import Box, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import nobody_there
from tsudoi.commands.checks import account, sheet, webhook
from tsudoi.commands.checks.findings import Level
from tsudoi.core.clock import ManualClock
from tsudoi.core.settings import Settings
from tsudoi.line.rich_menu.rules.menu import menu

__all__ = ["clock", "examine", "product"]
LIFF = "https://liff.line.me/1-a"


@sqlite_only
class TestLine:
    def test_a_wrong_token(self, product: Product, examine: Examine) -> None:
        found = examine(product.settings, line_channel_access_token=SecretStr("another-token"))
        assert found[account.TOKEN].level is PROBLEM
        assert "401" in found[account.TOKEN].message
        assert "another-token" not in str(found)
        assert found[account.QUOTA].level is found[webhook.WEBHOOK].level is WARNING
        assert found[account.CLOCK].level is OK

    @pytest.mark.parametrize("token", [None, SecretStr(""), SecretStr(" \n")])
    def test_an_empty_token(self, product: Product, box: Box, examine: Examine, token: SecretStr | None) -> None:
        asked = len(box.calls("info"))
        found = examine(product.settings, line_channel_access_token=token)
        assert found[account.TOKEN].level is PROBLEM
        assert "空です" in found[account.TOKEN].message
        assert "LINE_CHANNEL_ACCESS_TOKEN" in found[account.TOKEN].advice
        for title in (account.QUOTA, account.MENU, webhook.WEBHOOK):
            assert "アクセストークンが空" in found[title].message
        for word in ("届", "out of reach", "timeout", "401"):
            assert word not in found[account.TOKEN].message
        assert len(box.calls("info")) == asked, "LINE is not asked"

    def test_nobody_there(self, product: Product, examine: Examine) -> None:
        found = examine(product.settings, line_api_base=nobody_there())
        assert found[account.TOKEN].level is PROBLEM
        others = (account.QUOTA, account.CLOCK, account.MENU, webhook.WEBHOOK)
        assert {found[title].level for title in others} == {WARNING}

    def test_an_answer_that_fails_is_told_where_it_belongs(self, product: Product, box: Box, examine: Examine) -> None:
        titles = {"info": account.TOKEN, "quota": account.QUOTA, "webhook_endpoint": webhook.WEBHOOK}
        healthy = examine(product.settings)
        for endpoint, title in titles.items():
            box.breaks("error_500_before", endpoint)
            sick = examine(product.settings)
            assert {name for name, each in sick.items() if each.level is not healthy[name].level} == {title}

    def test_the_quota(self, product: Product, box: Box, examine: Examine) -> None:
        for used, level in ((0, OK), (800, OK), (801, WARNING), (999, WARNING), (1000, PROBLEM), (1200, PROBLEM)):
            quota = {"type": "limited", "value": 1000, "total_usage": used}
            box.http.put("/_sandbox/quota", json=quota).raise_for_status()
            found = examine(product.settings)[account.QUOTA]
            assert found.level is level, used
            assert f"{max(0, 1000 - used):,}" in found.message

    def test_the_clock(self, product: Product, clock: ManualClock, examine: Examine) -> None:
        for seconds, level in ((30, OK), (-30, OK), (90, WARNING), (-90, WARNING), (400, PROBLEM), (-400, PROBLEM)):
            found = examine(product.settings, ManualClock(clock.now() + timedelta(seconds=seconds)))
            assert found[account.CLOCK].level is level, seconds

    def test_no_menu(self, product: Product, examine: Examine) -> None:
        found = examine(product.settings)[account.MENU]
        assert found.level is WARNING
        assert "tsudoi richmenu publish" in found.advice

    @pytest.mark.found("24.C5")
    @pytest.mark.row("6.2.3")
    def test_another_menu(self, product: Product, box: Box, examine: Examine) -> None:
        def shown(staff_url: str | None, news: str = "https://example.jp/news") -> str:
            return self.level_of(menu(f"{LIFF}/", news, b"", staff_url), product, box, examine, "events,booking")

        assert shown(None) is shown(f"{LIFF}/staff") is OK
        assert shown(None, "https://example.jp/old") is WARNING
        assert shown("https://example.jp/elsewhere") is WARNING

    @pytest.mark.found("24.C14")
    def test_a_menu_without_the_door_of_the_shops(self, product: Product, box: Box, examine: Examine) -> None:
        """Shops were switched on, or off, after the menu was published."""

        def shown(features: str, shops_url: str | None, staff_url: str | None = None) -> str:
            made = menu(f"{LIFF}/", "https://example.jp/news", b"", staff_url, shops_url)
            return self.level_of(made, product, box, examine, features)

        for features in ("events,shops", "events,shops,booking"):
            assert shown(features, f"{LIFF}/shops") is OK, features
            assert shown(features, None) is WARNING, features
        assert shown("events,shops,booking", f"{LIFF}/shops", f"{LIFF}/staff") is OK
        assert shown("events,booking", f"{LIFF}/shops", f"{LIFF}/staff") is WARNING

    def level_of(self, made: dict[str, Any], product: Product, box: Box, examine: Examine, features: str) -> Level:
        box.world.rich_menus._default = box.world.rich_menus.create(made).id
        given = {"liff_id": "1-a", "liff_base": "https://liff.line.me", "notion_news_url": "https://example.jp/news"}
        return examine(product.settings, **given, features=features)[account.MENU].level


@sqlite_only
class TestWebhook:
    @pytest.mark.parametrize("url", [None, "https://other.example.jp/hook"])
    def test_at_another_address(self, product: Product, box: Box, examine: Examine, url: str | None) -> None:
        box.world.webhook_url = url
        found = examine(product.settings)[webhook.WEBHOOK]
        assert found.level is PROBLEM
        assert f"{product.url}/api/line/webhook" in found.advice

    def test_turned_off(self, product: Product, box: Box, examine: Examine) -> None:
        box.world.webhook_active = False
        found = examine(product.settings)[webhook.WEBHOOK]
        assert found.level is PROBLEM
        assert "オン" in found.advice
        assert box.does(box.person(), "follow")["status"] is None

    def test_that_nobody_answers(self, product: Product, box: Box, examine: Examine) -> None:
        gone = nobody_there()
        box.world.webhook_url = f"{gone}/api/line/webhook"
        found = examine(product.settings, public_base_url=gone)
        assert found[webhook.WEBHOOK].level is PROBLEM
        assert "COULD_NOT_CONNECT" in found[webhook.WEBHOOK].message
        assert webhook.SECRET not in found

    def test_signed_with_our_secret(self, product: Product, examine: Examine) -> None:
        assert examine(product.settings)[webhook.SECRET].level is OK
        reasons = [line.get("reason") for line in product.webhook_lines()]
        assert reasons == ["signature_invalid"], "the doctor's own control, and nothing else"

    def test_signed_with_another_secret(self, make_product: ProductMaker, database_url: str, examine: Examine) -> None:
        other = make_product(database_url=database_url, line_channel_secret="quite-another-secret")
        found = examine(other.settings)
        assert found[webhook.WEBHOOK].level is OK
        assert found[webhook.SECRET].level is PROBLEM
        assert "LINE_CHANNEL_SECRET" in found[webhook.SECRET].advice

    def test_a_strangers_forgery_at_that_moment_is_not_taken_for_it(
        self, product: Product, examine: Examine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real, forged = webhook._WebhookLog.mark, iter([True, False, False])

        def mark(log: webhook._WebhookLog) -> None:
            real(log)
            if next(forged):
                product.post_raw(b"{}", "forged")

        monkeypatch.setattr(webhook._WebhookLog, "mark", mark)
        assert examine(product.settings)[webhook.SECRET].level is OK

    def test_a_log_that_is_elsewhere_proves_nothing(self, product: Product, tmp_path: Path, examine: Examine) -> None:
        found = examine(product.settings, data_dir=tmp_path / "elsewhere")[webhook.SECRET]
        assert found.level is WARNING
        assert "DATA_DIR" in found.advice


@sqlite_only
class TestSheet:
    @pytest.fixture
    def with_sheet(self, product: Product, box: Box, tmp_path: Path) -> Settings:
        """Settings that lead to a sheet which can be read."""
        key = tmp_path / "key.json"
        key.write_bytes(orjson.dumps(box.world.google.key_file(box.url)))
        box.http.put("/_sandbox/sheets/roster/Members", json={"rows": [["id", "氏名"]]}).raise_for_status()
        more = {"members_sheet_id": "roster", "google_service_account_file": key, "sheets_api_base": box.url}
        return product.settings.model_copy(update=more)

    def test_that_can_be_read(self, with_sheet: Settings, examine: Examine) -> None:
        assert examine(with_sheet)[sheet.SHEET].level is OK

    def test_that_is_not_shared_or_not_there(self, with_sheet: Settings, box: Box, examine: Examine) -> None:
        box.http.put("/_sandbox/sheets/roster/Members", json={"rows": [], "shared": False}).raise_for_status()
        unshared = examine(with_sheet)[sheet.SHEET]
        assert unshared.level is PROBLEM
        assert "共有" in unshared.message
        assert examine(with_sheet, members_sheet_id="another")[sheet.SHEET].level is PROBLEM
        assert examine(with_sheet, sheets_api_base=nobody_there())[sheet.SHEET].level is PROBLEM

    def test_a_key_that_is_none(self, with_sheet: Settings, tmp_path: Path, examine: Examine) -> None:
        key = tmp_path / "key.json"
        for content in ("not json", "[]", "{}"):
            key.write_text(content)
            assert examine(with_sheet)[sheet.SHEET].level is PROBLEM, content
        key.unlink()
        assert examine(with_sheet)[sheet.SHEET].level is PROBLEM

    def test_half_a_setting(self, product: Product, examine: Examine) -> None:
        found = examine(product.settings, members_sheet_id="x")[sheet.SHEET]
        assert found.level is PROBLEM
        assert "GOOGLE_SERVICE_ACCOUNT_FILE" in found.message


@sqlite_only
@pytest.mark.found("24.D7")
def test_both_kinds_of_channel_are_known_and_the_mini_app_comes_first(product: Product, examine: Examine) -> None:
    advice = examine(product.settings, line_login_channel_id=None)[account.CHANNEL].advice
    assert 0 < advice.index("LINEミニアプリ") < advice.index("LINEログイン")
    assert "移すことはできません" in advice
