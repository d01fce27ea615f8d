"""The doctor names what does not work now, and what nobody would hear of."""

import pytest
from pydantic import SecretStr

from tests.commands.doctor_fixtures import OK, PROBLEM, WARNING, Examine, clock, examine, product
from tests.factories.product import Product
from tests.factories.shops import make_state, make_ticket
from tests.product_fixtures import sqlite_only

__all__ = ["clock", "examine", "product"]

TITLE = "アラーム"
CHATWORK = {"chatwork_api_token": SecretStr("token"), "alarm_chatwork_room_id": "1"}
MAIL = {"smtp_url": SecretStr("smtp://127.0.0.1:9"), "mail_from": "o@example.jp", "alarm_email_to": "n@example.jp"}

pytestmark = [pytest.mark.found("24.D4"), sqlite_only]


def test_an_open_alarm_is_a_problem_with_a_link(product: Product, examine: Examine) -> None:
    ticket = make_ticket(product.db, rule_code="OUTAGE_MAIL", title="メールを送れません")
    found = examine(product.settings, **CHATWORK)[TITLE]
    assert found.level is PROBLEM
    assert "メールを送れません" in found.message
    assert f"/admin/tickets/{ticket}" in found.advice
    assert examine(product.settings, **CHATWORK)[TITLE].level is PROBLEM


def test_the_connection_of_one_shop_is_a_warning(product: Product, examine: Examine) -> None:
    make_ticket(product.db, rule_code="STORES_AUTH_FAILED", title="STORES予約の接続トークンが使えません")
    found = examine(product.settings, **CHATWORK)[TITLE]
    assert (found.level, "STORES予約の接続トークンが使えません" in found.message) == (WARNING, True)


@pytest.mark.row("8.D.5")
def test_somebody_has_to_hear_of_each_outage(product: Product, examine: Examine) -> None:
    assert examine(product.settings, **CHATWORK)[TITLE].level is OK
    nobody = examine(product.settings)[TITLE]
    assert (nobody.level, "OUTAGE_LINE" in nobody.message) == (PROBLEM, True)
    assert "ALARM_CHATWORK_ROOM_ID" in nobody.advice
    by_mail = examine(product.settings, **MAIL)[TITLE]
    assert (by_mail.level, by_mail.message.endswith(": OUTAGE_MAIL")) == (PROBLEM, True), "not by the one that is out"
    make_state(product.db, 0, "email", failures_in_a_row=3)
    assert "OUTAGE_LINE" in examine(product.settings, **MAIL)[TITLE].message
