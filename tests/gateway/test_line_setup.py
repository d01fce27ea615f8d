"""What LINE says of the account itself, and what becomes of answers that make no sense."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.factories.product import ACCESS_TOKEN, Box, settings_for
from tests.product_fixtures import sqlite_only
from tests.sandbox.pictures import png
from tests.servers import hanging_up_peer, serving, silent_peer
from tsudoi.core.clock import ManualClock
from tsudoi.gateway.clients.line import POLICIES, LineClient, LineConfig
from tsudoi.gateway.clients.line_account import BotInfo, LineAccount, WebhookEndpoint
from tsudoi.gateway.clients.line_outcomes import LineUnreachable, Quota, Rejected
from tsudoi.gateway.http import HttpGateway

pytestmark = sqlite_only
_PATIENCE = timedelta(seconds=0.3)
_SOON = replace(
    POLICIES,
    account=replace(POLICIES.account, timeout=_PATIENCE),
    webhook_test=replace(POLICIES.webhook_test, timeout=_PATIENCE),
)
QUESTIONS = ("info", "quota", "webhook", "test_webhook", "default_rich_menu")


class Office:
    """Accounts that lead to any address."""

    def __init__(self, gateway: HttpGateway, folder: Path) -> None:
        self._gateway, self._folder = gateway, folder

    def account(self, base: str, at: datetime | None = None, **more: Any) -> LineAccount:
        config = LineConfig.of(settings_for("http://127.0.0.1:1", self._folder, base, **more))
        line = LineClient(config, self._gateway, _SOON)
        return LineAccount(line, ManualClock(at or datetime.now(UTC)))


@pytest.fixture
def office(gateway: HttpGateway, tmp_path: Path) -> Office:
    return Office(gateway, tmp_path)


@pytest.fixture
def odd() -> Iterator[tuple[str, dict[str, Any]]]:
    """A LINE that answers whatever it is told to."""
    told: dict[str, Any] = {"body": b"", "status": 200}

    async def answer(_request: Request) -> Response:
        return Response(told["body"], told["status"])

    with serving(Starlette(routes=[Route("/{rest:path}", answer, methods=["GET", "POST"])])) as url:
        yield url, told


class TestAnswers:
    def test_of_the_sandbox(self, office: Office, box: Box) -> None:
        account = office.account(box.url)
        assert account.info() == BotInfo("集い 公式", "@tsudoi-sandbox")
        assert account.quota() == Quota(None, 0)
        assert account.webhook() is None
        assert account.default_rich_menu() is None
        box.world.webhook_url = "https://example.jp/hook"
        assert account.webhook() == WebhookEndpoint("https://example.jp/hook", active=True)
        made = box.world.rich_menus.create(
            {"size": {"width": 800, "height": 250}, "selected": True, "name": "m", "chatBarText": "m", "areas": []}
        )
        box.world.rich_menus.attach_image(made.id, png(800, 250))
        box.world.rich_menus.set_default(made.id)
        assert account.default_rich_menu() == made.id

    def test_a_wrong_token_is_a_rejection(self, office: Office, box: Box) -> None:
        account = office.account(box.url, line_channel_access_token=f"{ACCESS_TOKEN}x")
        for question in QUESTIONS:
            found = getattr(account, question)()
            assert isinstance(found, Rejected), question
            assert found.status == 401

    @pytest.mark.parametrize("token", ["", "two words", "トークン", "line\nbreak"])
    def test_a_token_that_is_none_is_not_even_sent(self, office: Office, box: Box, token: str) -> None:
        found = office.account(box.url, line_channel_access_token=token).info()
        assert isinstance(found, Rejected)
        assert box.calls("/v2/bot") == []

    def test_the_clock_is_compared_each_time(self, office: Office, box: Box) -> None:
        account = office.account(box.url, datetime.now(UTC) + timedelta(hours=1))
        account.info()
        assert account.ahead is not None
        assert timedelta(minutes=59) < account.ahead < timedelta(minutes=61)

    @pytest.mark.parametrize("peer", [silent_peer, hanging_up_peer])
    def test_silence_is_unreachable(self, office: Office, peer: Any) -> None:
        with peer() as url:
            account = office.account(url)
            assert [q for q in QUESTIONS if not isinstance(getattr(account, q)(), LineUnreachable)] == []
        assert account.ahead is None

    @pytest.mark.parametrize(
        ("body", "status"), [(b"<html>", 200), (b"[]", 200), (b"\xff", 200), (b"", 500), (b'"x"', 503), (b"1", 200)]
    )
    def test_nonsense_is_unreachable(
        self, office: Office, odd: tuple[str, dict[str, Any]], body: bytes, status: int
    ) -> None:
        url, told = odd
        told.update(body=body, status=status)
        account = office.account(url)
        assert [q for q in QUESTIONS if not isinstance(getattr(account, q)(), LineUnreachable)] == []

    def test_missing_fields_are_survived(self, office: Office, odd: tuple[str, dict[str, Any]]) -> None:
        url, told = odd
        told.update(body=b"{}")
        account = office.account(url)
        assert isinstance(account.quota(), LineUnreachable)
        assert account.info() == BotInfo("", "")
        assert account.webhook() == WebhookEndpoint("", active=False)
        assert account.default_rich_menu() is None
        told.update(body=b'{"type":"limited","totalUsage":"many"}')
        assert isinstance(account.quota(), LineUnreachable)
