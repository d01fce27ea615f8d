"""The LINE client against the sandbox over HTTP: people, quota, rich menus and log-ins."""

from typing import Any
from uuid import uuid4

import pytest

from tests.factories.product import Box
from tests.product_fixtures import sqlite_only
from tests.sandbox.pictures import png
from tsudoi.core.clock import SystemClock
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import (
    Accepted,
    Identity,
    LineUnreachable,
    NoProfile,
    Profile,
    QuotaExhausted,
    Rejected,
    TokenRefused,
)

pytestmark = sqlite_only
HELLO = [{"type": "text", "text": "こんにちは 🎣"}]


def key() -> str:
    return str(uuid4())


@pytest.fixture
def account(line: LineClient) -> LineAccount:
    return LineAccount(line, SystemClock())


class TestProfile:
    def test_of_a_friend(self, line: LineClient, box: Box) -> None:
        who = box.friend("山田 太郎", picture_url="https://example.com/p.png", status_message="釣り")
        assert line.profile(who) == Profile(who, "山田 太郎", "https://example.com/p.png", "釣り")

    def test_of_somebody_who_does_not_show_it(self, line: LineClient, box: Box) -> None:
        assert line.profile(box.person()) == NoProfile()
        assert line.profile("U" + "f" * 32) == NoProfile()
        assert line.profile("../../oauth2/v2.1/verify?x=") == NoProfile()

    @pytest.mark.parametrize("kind", ["error_500_before", "rate_limited", "timeout_before_accept", "drop_connection"])
    def test_is_asked_for_three_times(self, line: LineClient, box: Box, kind: str) -> None:
        who = box.friend()
        box.breaks(kind, "profile", seconds=1, times=2)
        assert isinstance(line.profile(who), Profile)
        box.breaks(kind, "profile", seconds=1)
        assert isinstance(line.profile(who), LineUnreachable)


class TestQuota:
    def test_the_last_message_of_the_month(self, line: LineClient, box: Box) -> None:
        box.http.put("/_sandbox/quota", json={"type": "limited", "value": 200, "total_usage": 199}).raise_for_status()
        assert isinstance(line.push(box.friend(), HELLO, key()), Accepted)
        assert isinstance(line.push(box.friend(), HELLO, key()), QuotaExhausted)


class TestRichMenu:
    MENU = {  # noqa: RUF012 (never changed)
        "size": {"width": 2500, "height": 843},
        "selected": True,
        "name": "会員メニュー",
        "chatBarText": "メニュー",
        "areas": [
            {
                "bounds": {"x": 0, "y": 0, "width": 2500, "height": 843},
                "action": {"type": "uri", "label": "お知らせ", "uri": "https://example.com/"},
            }
        ],
    }

    def test_is_made_painted_shown_and_removed(self, account: LineAccount, box: Box) -> None:
        made = account.create_rich_menu(self.MENU)
        assert isinstance(made, str)
        refused = account.set_default_rich_menu(made)
        assert isinstance(refused, Rejected)
        assert account.upload_rich_menu_image(made, png(2500, 843)) is None
        assert account.set_default_rich_menu(made) is None
        assert account.list_rich_menus() == [(made, "会員メニュー")]
        assert box.http.get("/_sandbox/rich_menu").json()["rich_menu"]["name"] == "会員メニュー"
        assert account.delete_rich_menu(made) is None
        assert account.list_rich_menus() == []

    def test_a_picture_that_is_none_is_rejected(self, account: LineAccount) -> None:
        made = account.create_rich_menu(self.MENU)
        assert isinstance(made, str)
        assert isinstance(account.upload_rich_menu_image(made, b"no picture"), Rejected)

    def test_when_line_is_away(self, account: LineAccount, box: Box) -> None:
        box.breaks("error_500_before", "rich_menu")
        assert isinstance(account.create_rich_menu(self.MENU), LineUnreachable)
        assert isinstance(account.list_rich_menus(), LineUnreachable)


class TestVerify:
    def test_names_the_person(self, line: LineClient, box: Box) -> None:
        who = box.friend("山田 太郎")
        found = line.verify_id_token(box.id_token(who))
        assert isinstance(found, Identity)
        assert (found.user_id, found.display_name) == (who, "山田 太郎")

    @pytest.mark.parametrize(
        ("wish", "reason"),
        [
            ({"expires_in": -1}, "IdToken expired."),
            ({"audience": "9999999999"}, "Invalid IdToken Audience."),
            ({"forged": True}, "Invalid IdToken."),
        ],
    )
    def test_tells_why_not(self, line: LineClient, box: Box, wish: dict[str, Any], reason: str) -> None:
        assert line.verify_id_token(box.id_token(box.friend(), **wish)) == TokenRefused(reason)

    def test_when_line_is_away(self, line: LineClient, box: Box) -> None:
        token = box.id_token(box.friend())
        box.breaks("error_500_before", "verify")
        assert isinstance(line.verify_id_token(token), LineUnreachable)
        assert len(box.calls("/oauth2/v2.1/verify")) == 2
