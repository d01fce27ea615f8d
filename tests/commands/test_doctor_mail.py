"""What `tsudoi doctor` says about the mail server and the language models."""

from typing import Any

import pytest
from pydantic import SecretStr

from tests.commands.doctor_fixtures import OK, PROBLEM, WARNING, Examine, clock, examine, product
from tests.factories.product import Box, Product
from tests.gateway.smtp_peers import scripted_peer
from tests.product_fixtures import sqlite_only
from tests.servers import free_port
from tsudoi.commands.checks.language_models import MODELS
from tsudoi.commands.checks.mail import MAIL

__all__ = ["clock", "examine", "product"]
pytestmark = sqlite_only
SENDER = "事務局 <office@example.jp>"


def server(url: str) -> dict[str, Any]:
    return {"smtp_url": SecretStr(url), "mail_from": SENDER}


class TestMail:
    def test_a_good_server_is_greeted_and_gets_no_mail(self, product: Product, box: Box, examine: Examine) -> None:
        found = examine(product.settings, **server(box.smtp_url))[MAIL]
        assert (found.level, found.advice) == (OK, ""), found.message
        assert box.mails() == []

    def test_only_the_greeting_is_spoken(self, product: Product, examine: Examine) -> None:
        with scripted_peer() as peer:
            assert examine(product.settings, **server(f"smtp://127.0.0.1:{peer.port}"))[MAIL].level is OK
        assert [command.split()[0].upper() for command in peer.commands] == ["EHLO", "QUIT"]

    def test_half_of_the_settings_sends_nothing(self, product: Product, examine: Examine) -> None:
        found = examine(product.settings, smtp_url=SecretStr("smtp://127.0.0.1:25"))[MAIL]
        assert (found.level, "MAIL_FROM" in found.message) == (PROBLEM, True)
        found = examine(product.settings, mail_from=SENDER)[MAIL]
        assert (found.level, "SMTP_URL" in found.message) == (PROBLEM, True)

    def test_without_a_server_invitations_cannot_be_mailed(self, product: Product, examine: Examine) -> None:
        found = examine(product.settings)[MAIL]
        assert (found.level, "SMTP_URL" in found.advice) == (WARNING, True)
        assert examine(product.settings, features=("events",))[MAIL].level is OK

    def test_what_is_wrong_is_said_with_its_cure(self, product: Product, examine: Examine) -> None:
        closed = free_port()
        for url, message, advice in (
            (f"smtp://127.0.0.1:{closed}", "ConnectionRefusedError", "ポート"),
            ("smtp://no-such-host.invalid", "gaierror", "サーバー名"),
        ):
            found = examine(product.settings, **server(url))[MAIL]
            assert found.level is PROBLEM
            assert message in found.message
            assert advice in found.advice, found
        with scripted_peer(greeting=b"421 busy\r\n") as peer:
            found = examine(product.settings, **server(f"smtp://127.0.0.1:{peer.port}"))[MAIL]
            assert (found.level, "421 busy" in found.message) == (PROBLEM, True)
        with scripted_peer(EHLO=b"250-hello\r\n250 AUTH PLAIN LOGIN\r\n", AUTH=b"535 5.7.8 wrong\r\n") as peer:
            found = examine(product.settings, **server(f"smtp://me:secret-word@127.0.0.1:{peer.port}"))[MAIL]
            assert (found.level, "535" in found.message, "パスワード" in found.advice) == (PROBLEM, True, True)
            assert "secret-word" not in f"{found}"
        with scripted_peer() as peer:
            found = examine(product.settings, **server(f"smtp+starttls://127.0.0.1:{peer.port}"))[MAIL]
            assert (found.level, "対応していません" in found.advice) == (PROBLEM, True), found


class TestModels:
    @pytest.mark.parametrize(
        ("changes", "level", "word"),
        [
            ({}, OK, "GEMINI_API_KEY"),
            ({"gemini_api_key": SecretStr("k")}, OK, "gemini-flash"),
            ({"gemini_api_key": SecretStr("k"), "features": ("events",)}, OK, "off"),
            ({"gemini_api_key": SecretStr("k"), "ai_fallback_enabled": True}, WARNING, "second model"),
            ({"openai_api_key": SecretStr("k")}, WARNING, "OPENAI_API_KEY"),
            ({"openai_api_key": SecretStr("k"), "ai_fallback_enabled": True}, OK, "gpt"),
            ({"gemini_api_key": SecretStr("k k")}, PROBLEM, "GEMINI_API_KEY"),
            ({"gemini_api_key": SecretStr("k"), "gemini_api_base": "http://example.net"}, PROBLEM, "https"),
        ],
    )
    def test_the_settings_are_judged_without_a_call(
        self, product: Product, box: Box, examine: Examine, changes: dict[str, Any], level: object, word: str
    ) -> None:
        found = examine(product.settings, **changes)[MODELS]
        assert (found.level, word in found.message, bool(found.advice)) == (level, True, level is not OK), found
        assert box.http.get("/_sandbox/models").json()["asked"] == []
