"""What STORES knows about people is in the result for the caller, and nowhere else."""

import json
from typing import Any

import pytest

from tests.factories.chain import LINE_USER, STORES_OPERATIONS, Chain
from tsudoi.alarms.escalation.models import EscalationAttempt
from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.system_events.models import SysEvent
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.core.db.base import Base
from tsudoi.gateway.clients.stores import _mask
from tsudoi.shops.connectivity.models import ConnectivityCheck

CANARIES = (
    *("CANARY", "金糸雀", "canary@example.com", "9077778888", "0901234", "1990-01-31", "アレルギー", "東京都"),
    *("87654321", "tok_1", "chatwork-token", "sms-token"),
)
PERSON: dict[str, Any] = {
    "name": "金糸雀 花子",
    "family_name": "CANARY-FAMILY",
    "name_kana": "CANARY-KANA",
    "email": "canary@example.com",
    "primary_phone_number": "09077778888",
    "second_phone": 9077778888,
    "birthday": "1990-01-31",
    "membership_number": 87654321,
    "customer_memo": "CANARY-MEMO",
    "address": {"prefecture": "東京都", "09077778888": "a key that is data"},
    "profile_fields": [{"question": "アレルギー", "answer": "CANARY-ALLERGY"}],
    "status": "CANARY STATUS",
    "canonical_id_of_friend": "CANARY-ID",
}
TABLES: tuple[type[Base], ...] = (SysEvent, Ticket, EscalationAttempt, ConnectivityCheck, OutsideState)


@pytest.mark.row("4.7.4", "4.7.5", "4.3.39", "4.2.6")
def test_nothing_of_a_person_is_kept_in_any_table_message_or_log(
    chain: Chain, capsys: pytest.CaptureFixture[str]
) -> None:
    chain.parameter("stores_api_retry_count", 0)
    chain.customer(101, **PERSON)
    chain.reservation(501, customer_canonical_id=101, questionnaires=[{"question": "?", "answer": "CANARY-Q"}])
    chain.link("101")
    contact = {"email": "canary@example.com", "phone_number": "090-7777-8888", "name": "金糸雀 花子"}
    for operation, payload in STORES_OPERATIONS.items():
        chain.call(operation, contact if "contact" in operation else payload)
    found = chain.call("stores.resolve_customer_by_contact", contact)
    assert found["data"]["customer"]["name"] == "金糸雀 花子", "the caller gets it"
    for body in (
        json.dumps({"errors": [{"message": "CANARY 金糸雀"}], **PERSON}),
        "<html>CANARY canary@example.com</html>",
    ):
        chain.breaks("error_status", status=500, body=body)
        for operation, payload in STORES_OPERATIONS.items():
            chain.call(operation, contact if "contact" in operation else payload)
    chain.box.mends()
    chain.call("system.check_connectivity")
    told = [*chain.messages(), *chain.texts(), *chain.calls(), *(row for table in TABLES for row in chain.rows(table))]
    assert len(told) > 15
    logged = capsys.readouterr()
    kept = "\n".join([*map(str, told), logged.out, logged.err])
    assert [canary for canary in CANARIES if canary in kept] == []
    urls = [row["url"] for row in chain.calls()]
    assert any(url.endswith("?merchant_canonical_ids=***&page=***&email=***&phone_number=***") for url in urls)
    assert LINE_USER not in kept


def test_ids_states_times_and_counts_are_kept() -> None:
    body = {
        "pagination": {"page": 1, "total": 3},
        "reservations": [
            {
                "canonical_id": 501,
                "booking_start": "2026-11-22T10:00:00+09:00",
                "status": "accepted",
                "num_attendees": 2,
                "checked_in_at": None,
                "customer_name": "山田",
                "merchant_canonical_id": "mc_1",
                "payment_method": {"name": "ticket", "used_products": [{"canonical_id": 7, "remaining_tickets": 3}]},
            }
        ],
    }
    masked = json.loads(_mask(json.dumps(body).encode()) or "")
    (reservation,) = body["reservations"]
    reservation["customer_name"] = reservation["payment_method"]["name"] = "***"  # type: ignore[index]
    assert masked == body


def test_anything_that_is_no_json_is_its_length() -> None:
    assert [_mask(body) for body in (b"<html>", b"", None, b'"text"', b"5")] == [
        "(6 bytes)",
        None,
        None,
        "(6 bytes)",
        "(1 bytes)",
    ]
