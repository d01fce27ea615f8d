from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.booking.office import audited, code, fault, office
from tests.factories.product import Box, Product
from tests.factories.shops import make_shop, make_ticket
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.alarms.escalation.models import EscalationAttempt, EscalationRule
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.core.clock import ManualClock

ALL = "/api/admin/escalation-rules"
CODE = "API_ERROR_CRITICAL"
RULE = {
    "severity": "warn",
    "channels": ["chatwork", "email", "sms"],
    "chatwork_room_id": "4711",
    "email_to": "anna@example.jp,ben@example.jp",
    "sms_to": "090-1234-5678",
    "throttle_minutes": 30,
    "active": True,
    "fallback": False,
    "quiet_hours": True,
    "snoozed_until": None,
}
SMS = {"sms_api_base": "http://127.0.0.1:1", "sms_account": "AC1", "sms_token": "sms-token-of-the-tests"}
READY = {
    "chatwork_api_token": "chatwork-token-of-the-tests",
    "chatwork_room_id": "1",
    "smtp_url": "smtp://127.0.0.1:1",
    "mail_from": "office@example.jp",
    **SMS,
}


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


def put(http: httpx2.Client, code_of_rule: str = CODE, /, **more: Any) -> httpx2.Response:
    return http.put(f"{ALL}/{code_of_rule}", json={**RULE, **more})


def dry_run(http: httpx2.Client, **body: Any) -> dict[str, Any]:
    answer = http.post(f"{ALL}/{CODE}/dry-run", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_the_built_in_rules_hold_until_the_office_stores_its_own(product: Product, http: httpx2.Client) -> None:
    listed = http.get(ALL).json()["rules"]
    assert [(rule["rule_code"], rule["built_in"], rule["channels"]) for rule in listed] == [
        ("API_ERROR_CRITICAL", True, []),
        ("OUTAGE_LINE", True, []),
        ("OUTAGE_MAIL", True, []),
        ("OUTAGE_MODELS", True, []),
        ("OUTAGE_STRIPE", True, []),
        ("STORES_AUTH_FAILED", True, []),
    ]
    made = put(http, snoozed_until="2025-08-16T13:00:00+09:00").json()
    assert made == {
        **RULE,
        "rule_code": CODE,
        "email_to": "anna@example.jp, ben@example.jp",
        "snoozed_until": "2025-08-16T13:00:00+09:00",
        "built_in": False,
        "updated_at": "2025-08-16T12:00:00+09:00",
    }
    put(http, channels=["email"], fallback=True)
    put(http, "HELP_AT_THE_DOOR")
    assert [rule["rule_code"] for rule in http.get(ALL).json()["rules"]] == [
        "API_ERROR_CRITICAL",
        "HELP_AT_THE_DOOR",
        "OUTAGE_LINE",
        "OUTAGE_MAIL",
        "OUTAGE_MODELS",
        "OUTAGE_STRIPE",
        "STORES_AUTH_FAILED",
    ]
    assert len(product.rows(EscalationRule)) == 2
    trail = str(audited(product.db, "ESCALATION_RULE"))
    assert (trail.count("escalation_rule:"), "anna@" in trail, "1234-5678" in trail) == (3, False, False)


@sqlite_only
@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        *[("severity", value) for value in ("loud", None, 1)],
        *[("channels", value) for value in (["fax"], ["sms", "sms"], "sms", None)],
        *[("chatwork_room_id", value) for value in ("abc", "", 4711, "1" * 21)],
        *[("email_to", value) for value in ("x", "a@b.jp,", "a@b.jp;c@d.jp", ",".join(["a@b.jp"] * 11), 1)],
        *[("sms_to", value) for value in ("x", "090-1234-5678,abc", 1)],
        *[("throttle_minutes", value) for value in (-1, 1441, "30", True, 1.5)],
        *[("active", value) for value in (1, "true", None)],
        *[("snoozed_until", value) for value in ("tomorrow", "2025-08-16T13:00:00", 5)],
        ("extra", 1),
    ],
)
def test_a_rule_is_read_strictly(product: Product, http: httpx2.Client, field: str, wrong: object) -> None:
    assert fault(put(http, **{field: wrong}))[1].partition(".")[0] == field
    assert product.rows(EscalationRule) == []


@sqlite_only
def test_a_chosen_channel_leads_to_somebody(product: Product, http: httpx2.Client) -> None:
    for field in ("chatwork_room_id", "email_to", "sms_to"):
        assert fault(put(http, **{field: None})) == (400, field, "REQUIRED")
    assert product.rows(EscalationRule) == []
    assert put(http, "lower_case").status_code == 400
    assert put(http, channels=[], chatwork_room_id=None, email_to=None, sms_to=None).status_code == 200


@sqlite_only
def test_the_room_of_the_settings_is_room_enough(make_product: ProductMaker) -> None:
    with office(make_product(**READY)) as http:
        assert [rule["channels"] for rule in http.get(ALL).json()["rules"]] == [["chatwork"]] * 6
        assert put(http, chatwork_room_id=None).status_code == 200
        assert dry_run(http)["channels"][0]["to_masked"] == "ルーム 1"


class TestADryRun:
    @pytest.fixture
    def ready(self, make_product: ProductMaker) -> Product:
        return make_product(**READY)

    @pytest.fixture
    def http(self, ready: Product) -> Iterator[httpx2.Client]:
        with office(ready) as client:
            yield client

    def test_shows_what_each_channel_would_say_and_sends_nothing(
        self, ready: Product, http: httpx2.Client, box: Box
    ) -> None:
        put(http).raise_for_status()
        shop = make_shop(ready.db)
        box.http.delete("/_sandbox/requests")
        said = dry_run(http, shop_id=shop)
        assert (said["throttled"], said["ticket"]) == (False, None)
        assert [(one["channel"], one["to_masked"], one["would_send"]) for one in said["channels"]] == [
            ("chatwork", "ルーム 4711", True),
            ("email", "a***@example.jp、b***@example.jp", True),
            ("sms", "***5678", True),
        ]
        assert all("【注意】" in one["text"] and "ngy1" in one["text"] for one in said["channels"])
        assert said["channels"][0]["text"].startswith("[info][title]")
        assert box.http.get("/_sandbox/requests").json()["requests"] == []
        assert (ready.rows(Ticket), ready.rows(EscalationAttempt)) == ([], [])

    @sqlite_only
    def test_says_why_nobody_would_be_told(self, ready: Product, http: httpx2.Client) -> None:
        shop, now = make_shop(ready.db), ready.db.clock.now()
        for more, why in (({"active": False}, "無効"), ({"snoozed_until": "2025-08-16T13:00:00+09:00"}, "一時停止")):
            put(http, **more).raise_for_status()
            assert all(why in one["why"] and not one["would_send"] for one in dry_run(http)["channels"])
        put(http).raise_for_status()
        ticket = make_ticket(ready.db, shop_id=shop, alarmed_at_utc=now - timedelta(minutes=29))
        said = dry_run(http, shop_id=shop)
        assert (said["throttled"], said["ticket"]) == (True, ticket)
        assert all("30分以内" in one["why"] for one in said["channels"])
        assert dry_run(http)["throttled"] is False

    @sqlite_only
    def test_tries_the_next_channel_only_if_one_fails(self, http: httpx2.Client) -> None:
        put(http, fallback=True).raise_for_status()
        channels = dry_run(http)["channels"]
        assert [one["would_send"] for one in channels] == [True, False, False]
        assert "前の手段" in channels[1]["why"]

    @sqlite_only
    def test_keeps_phones_quiet_at_night(self, http: httpx2.Client, clock: ManualClock) -> None:
        put(http).raise_for_status()
        clock.advance(timedelta(hours=10))
        assert [one["would_send"] for one in dry_run(http)["channels"]] == [True, True, False]
        put(http, severity="critical").raise_for_status()
        assert [one["would_send"] for one in dry_run(http)["channels"]] == [True, True, True]

    @sqlite_only
    def test_needs_a_rule_and_a_shop_that_exist(self, http: httpx2.Client) -> None:
        assert http.post(f"{ALL}/NO_SUCH_RULE/dry-run", json={}).status_code == 404
        assert code(http.post(f"{ALL}/{CODE}/dry-run", json={"shop_id": 999})) == (404, "SHOP_NOT_FOUND")
        assert fault(http.post(f"{ALL}/{CODE}/dry-run", json={"shop_id": "1"}))[:2] == (400, "shop_id")


@sqlite_only
def test_a_channel_that_is_not_set_up_says_so(http: httpx2.Client) -> None:
    put(http).raise_for_status()
    assert {one["why"] for one in dry_run(http)["channels"]} == {"サーバーにこの手段の設定がありません。"}
