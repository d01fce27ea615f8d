"""The PIN 7391 through every path: it may stand nowhere but in the requests."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.factories.booking import Person, make_department, make_new_staff
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.core.db.interface import Database

CANARY, OTHER = "7391", "8046"


def _paths(product: Product, person: Person) -> list[str]:
    """Send the canary in every field that takes a PIN, well and badly; gives the bodies of the responses."""
    said: list[str] = []

    def send(method: str, path: str, body: Any, token: str = "none") -> dict[str, Any]:
        headers = {"authorization": f"Bearer {token}", "idempotency-key": f"key-{len(said)}"}
        answer = product.http.request(method, path, json=body, headers=headers)
        said.append(answer.text)
        return dict(answer.json())

    first = send("POST", "/auth/login", person.log_in)["accessToken"]
    send("POST", "/api/staffs/pin/change", {"currentPin": "0000", "newPin": CANARY}, first)
    token = send("POST", "/auth/login", {"staffId": person.staff_id, "pin": CANARY})["accessToken"]
    send("POST", "/api/staffs/pin/change", {"currentPin": CANARY, "newPin": CANARY}, token)
    send("POST", "/api/staffs/pin/change", {"currentPin": CANARY, "newPin": "1111"}, token)
    send("POST", "/api/staffs/pin/change", {"currentPin": CANARY, "newPin": CANARY + "0"}, token)
    send("PATCH", "/api/staffs/me", {"version": 1, "familyName": "佐藤", "currentPin": CANARY}, token)
    send("PATCH", "/api/staffs/me", {"version": 1, "familyName": "鈴木", "currentPin": CANARY}, token)
    send("PATCH", "/api/staffs/me", {"version": 2, "pin": CANARY}, token)
    send("POST", "/auth/login", {"staffId": "5", "pin": CANARY})
    send("POST", "/auth/login", {"staffId": "5", "pin": [CANARY]})
    send("POST", "/auth/login", {"staffId": "5", "pin": int(CANARY)})
    send("POST", "/auth/login", {"staffId": CANARY, "pin": OTHER})
    registration = {"staffId": "31", "familyName": "山", "givenName": "子", "jobTitle": "医師", "departmentId": "3A"}
    more = {"dateOfBirth": "1990-04-01", "sexCode": "2", "pin": CANARY}
    send("POST", "/api/staffs", {**registration, **more, "departmentId": "ZZ"})
    send("POST", "/api/staffs", {**registration, **more})
    send("POST", "/api/staffs", {**registration, **more})
    return said


@sqlite_only
@pytest.mark.row("3.6.6")
def test_the_pin_stands_nowhere(
    product: Product,
    db: Database,
    database_url: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    make_department(db)
    with caplog.at_level(logging.DEBUG):
        said = _paths(product, make_new_staff(db, "42"))
    assert len(said) == 16
    with closing(sqlite3.connect(Path(database_url.removeprefix("sqlite:///")))) as file:
        dump = "\n".join(file.iterdump())
    printed = capfd.readouterr()
    everything = {"responses": "\n".join(said), "dump": dump, "log": caplog.text}
    everything |= {"printed": printed.out + printed.err}
    # In quotes or as a number between signs: random ids may contain any four digits.
    for place, text in everything.items():
        for form in (f'"{CANARY}"', f"'{CANARY}'", f": {CANARY}", f"={CANARY}", f":{CANARY},", f",{CANARY},"):
            assert form not in text, f"{form} in {place}"
    assert "佐藤" in dump
