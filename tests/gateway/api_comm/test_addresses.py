"""Where our requests can go: below the configured addresses, and nowhere else."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.factories.chain import Chain, chain_of
from tests.product_fixtures import sqlite_only
from tsudoi import __version__
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.chatwork import ChatworkClient
from tsudoi.gateway.clients.karaden import KaradenClient
from tsudoi.gateway.clients.outside_answers import OutsideAnswer
from tsudoi.gateway.http import CallPolicy, HttpGateway, Pool

BASES = ("stores_api_base", "chatwork_api_base", "sms_api_base", "openai_api_base", "line_api_base")


@sqlite_only
class TestCalls:
    def test_a_redirect_is_not_followed(self, chain: Chain) -> None:
        chain.rule("TEST_ALARM", "chatwork", "sms", throttle_minutes=0)
        for status in (301, 302, 303, 307, 308):
            chain.faults(
                *(
                    {"kind": "redirect", "status": status, "endpoint": one}
                    for one in ("stores", "chatwork", "sms", "openai")
                )
            )
            found = chain.call("stores.list_reservations")
            assert found["error"]["details"]["external_status_code"] == status
            assert found["error"]["details"]["retryable"] is False
            told = chain.call("notify.escalation", {"rule_code": "TEST_ALARM", "summary": "試験"})
            assert (told["code"], told["data"]["channels_used"]) == ("ESCALATION_FAILED", [])
            assert chain.call("system.check_connectivity")["code"] == "HEALTH_ERROR"
        assert chain.seen("elsewhere") == []

    def test_what_a_caller_gives_stays_inside_its_place(self, chain: Chain) -> None:
        """Every text that reaches an address, with everything that could change the address."""
        strange = (
            "1/../../x",
            "1?x=1",
            "1#x",
            "//elsewhere",
            "@elsewhere",
            "mc_1,mc_2",
            "mc_1&email=",
            "..",
            "%2e%2e",
            "\r\nX: 1",
        )
        places: list[tuple[str, dict[str, Any]]] = [
            *(("stores.get_customer", {"stores_customer_id": one}) for one in strange),
            *(("stores.get_reservation", {"reservation_canonical_id": one}) for one in strange),
            *(("stores.list_reservations", {"status": one}) for one in strange),
            *(
                ("stores.resolve_customer_by_contact", {"email": "a@b.jp", "merchant_canonical_id": one})
                for one in strange
            ),
        ]
        for operation, payload in places:
            assert chain.call(operation, payload)["code"] == "INVALID_REQUEST", (operation, payload)
        assert chain.seen() == []
        chain.call("stores.resolve_customer_by_contact", {"email": "a&page=2@b.jp", "phone_number": "1&page=2"})
        (asked,) = chain.seen()
        assert (asked["path"], asked["query"]["page"]) == ("/reserve/202101/customers", "1")

    def test_a_link_that_was_written_by_hand_leads_nowhere_else(self, chain: Chain) -> None:
        chain.link("101/../../elsewhere")
        found = chain.call("stores.resolve_customer_by_line_user")
        assert (found["code"], chain.seen()) == ("STORES_CUSTOMER_LINK_BROKEN", [])

    def test_a_token_with_a_line_end_is_not_sent(self, chain: Chain, tmp_path_factory: pytest.TempPathFactory) -> None:
        with chain_of(chain.box, chain.db, tmp_path_factory.mktemp("x"), chatwork_api_token="a\r\nHost: b") as other:
            assert other.call("system.check_connectivity", {"targets": ["chatwork"]})["code"] == "HEALTH_ERROR"
        assert chain.seen("chatwork") == []

    def test_every_client_says_who_it_is(self, chain: Chain) -> None:
        chain.call("system.check_connectivity")
        systems = ("stores", "chatwork", "twilio", "line", "openai")
        agents = {one["headers"]["user-agent"] for system in systems for one in chain.seen(system)}
        assert agents == {f"tsudoi/{__version__}"}


def _settings(name: str, value: str) -> Settings:
    given: dict[str, Any] = {name: value}
    return Settings(_env_file=None, **given)


def test_a_private_address_is_reached_only_because_it_is_configured() -> None:
    """There is no place for an address in a request: these settings are all that there are."""
    for name in BASES:
        for good in ("https://api.example.jp/v2/", "http://127.0.0.1:9/x", "http://10.0.0.5"):
            assert getattr(_settings(name, good), name) == good.rstrip("/")
        bad = (
            *("ftp://example.jp", "file:///etc/passwd", "gopher://x", "example.jp", "//example.jp", "https://"),
            *("https://user@example.jp", "https://user:secret@example.jp", "https://example.jp@evil.jp"),
            *("https://example.jp/?x=1", "https://example.jp/#x", "https://example.jp/a b", "https://example.jp\n/x"),
        )
        for value in bad:
            with pytest.raises(ValidationError):
                _settings(name, value)


def test_a_room_or_a_number_that_is_none_is_refused_without_a_call() -> None:
    gateway = HttpGateway(None)
    policy = CallPolicy(Pool("test", 1), timedelta(seconds=1), timedelta(seconds=1))
    chatwork = ChatworkClient("http://127.0.0.1:1", "token", gateway)
    for room in ("1/../me", "", "１", "1?x", "-1"):
        assert chatwork.post(room, "text", policy) == OutsideAnswer(None, reason="the room id is no number")
    karaden = KaradenClient("http://127.0.0.1:1", "tenant", "token", "1", gateway)
    assert karaden.send("+12025550123", "text", policy).reason == "the number is no Japanese mobile number"
    gateway.close()


@pytest.mark.row("4.1.2")
def test_the_address_of_stores_has_a_default() -> None:
    example = (Path(__file__).parents[3] / ".env.example").read_text()
    assert "STORES_API_BASE=https://api.stores.dev/reserve/202101" in example
