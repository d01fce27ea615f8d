"""Troubles with outside systems, as programs report them, and the rules that say who hears of them."""

import itertools
import json
from typing import Any

import httpx2

from tests.browser.admin_desk import Colleague
from tests.browser.conftest import Demo

ROOM = "47110815"
_numbers = itertools.count(1)
_RULE = {
    "severity": "warn",
    "channels": ["chatwork"],
    "chatwork_room_id": ROOM,
    "email_to": None,
    "sms_to": None,
    "throttle_minutes": 0,
    "active": True,
    "fallback": False,
    "quiet_hours": True,
    "snoozed_until": None,
}


def new_rule(office: Colleague, **fields: Any) -> str:
    """A rule of its own for each test: the demo is shared."""
    code = f"DOOR_OFFLINE_{next(_numbers)}"
    office.send("PUT", f"escalation-rules/{code}", {**_RULE, **fields})
    return code


def escalate(demo: Demo, rule_code: str, summary: str, shop_id: int | None = 1) -> None:
    request = {
        "channel": "cron",
        "actor_type": "system",
        "shop_id": shop_id,
        "payload": {"rule_code": rule_code, "summary": summary, "details": {"component": "Door", "failures": 3}},
    }
    demo.command("apicomm", "call", "notify.escalation", "--request", json.dumps(request))


def chatwork_messages(demo: Demo, room: str = ROOM) -> list[str]:
    with httpx2.Client(base_url=demo.phones, timeout=60, trust_env=False) as box:
        rooms = box.get("/_sandbox/chatwork").raise_for_status().json()["rooms"]
    return [message["body"] for one in rooms if str(one["room_id"]) == room for message in one["messages"]]
