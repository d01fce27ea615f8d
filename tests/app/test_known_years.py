"""A day of the year 1 or 9999 is refused like any other that nobody means, and never an error of ours."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.booking.office import office
from tests.factories.product import Product
from tests.product_fixtures import box, impatient, make_product, plain_log, product, shared_box, sqlite_only
from tsudoi.app import create_api
from tsudoi.core.clock import KNOWN_YEARS

__all__ = ["box", "impatient", "make_product", "plain_log", "product", "shared_box"]

DAYS = ("0001-01-01", "0001-01-02", "9999-12-31", "1899-12-31", "2200-01-01")
TIMES = tuple(f"{day}T{clock}" for day in DAYS for clock in ("00:00:00+14:00", "23:59:59-14:00", "00:00:00Z"))
YEARS = ("FY0000", "FY0001", "FY9999", "9999-12", "0001-01")
SAID = (*DAYS, *TIMES, *YEARS)
# Every name of a parameter that takes a day, a month, a year or a time.
NAMES = ("from", "to", "day", "month", "as_of", "at", "since", "until", "periodKey", "before", "after", "days")


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as found:
        yield found


@sqlite_only
@pytest.mark.found("24.E8")
def test_no_query_ends_in_an_error_of_ours(http: httpx2.Client) -> None:
    asked = 0
    for path, operations in create_api().openapi()["paths"].items():
        if "get" not in operations or "{" in path or path.endswith("/live"):
            continue
        given = {one["name"]: one for one in operations["get"].get("parameters", ()) if one["in"] == "query"}
        for name in given:
            if name not in NAMES and "date" not in str(given[name]["schema"]):
                continue
            for said in SAID:
                answer = http.get(path, params={**_needed(given), name: said})
                assert answer.status_code < 500, (path, name, said)
                asked += 1
    assert asked > 100


def _needed(given: dict[str, Any]) -> dict[str, str]:
    return {name: "1" for name, one in given.items() if one.get("required")}


@sqlite_only
@pytest.mark.found("24.E8")
def test_no_body_ends_in_an_error_of_ours(http: httpx2.Client) -> None:
    slot = {"start_at": "2026-12-10T14:00:00+09:00", "end_at": "2026-12-10T15:00:00+09:00"}
    person = {"staffId": "1", "familyName": "山田", "givenName": "太郎", "jobTitle": "医師", "departmentId": "3A"}
    # Ten threads a minute.
    for said in (TIMES[0], TIMES[7], TIMES[-1]):
        bodies: list[tuple[str, dict[str, Any]]] = [
            ("/api/threads", {"title": "会", "slots": [{**slot, "start_at": said}]}),
            ("/api/threads", {"title": "会", "slots": [{**slot, "end_at": said}]}),
            ("/api/threads", {"title": "会", "slots": [slot], "deadline_at": said}),
        ]
        for path, body in bodies:
            assert http.post(path, json=body).status_code == 400, (path, said)
        with_offset = {"title": "会", "held_at": said, "target_member_ids": "[1]"}
        assert (
            http.post("/api/admin/events", files={name: (None, it) for name, it in with_offset.items()}).status_code
            < 500
        )
    for said in DAYS[:4]:
        assert http.post("/api/admin/staffs", json={**person, "dateOfBirth": said}).status_code == 400, said


def test_the_years_are_those_in_which_people_live() -> None:
    assert (KNOWN_YEARS.start, KNOWN_YEARS.stop) == (1900, 2200)
