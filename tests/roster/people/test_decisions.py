"""Same person, or two people: what an administrator clicks is kept, and changes nothing else."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.booking.office import audited, code, fault, office
from tests.factories.booking import make_staff
from tests.factories.people import make_friend
from tests.factories.product import ADMIN, Product
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import enrol
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import Tx
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.members.models import Member
from tsudoi.roster.people.models import PersonDecision

PEOPLE = "/api/admin/people"
DECISIONS = f"{PEOPLE}/decisions"
MEMBER = {"kind": "member", "id": "101"}


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as found:
        yield found


@pytest.fixture
def staff(product: Product) -> dict[str, str]:
    """A staff person with the name of member 101."""
    enrol(product.db, (101, "山田太郎"))
    made = make_staff(product.db, family_name="山田", given_name="太郎")
    return {"kind": "staff", "id": made.staff_uid}


def decide(http: httpx2.Client, first: Any, second: Any, verdict: str = "same", **more: Any) -> httpx2.Response:
    return http.post(DECISIONS, json={"first": first, "second": second, "verdict": verdict, **more})


def page(http: httpx2.Client, record: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = http.get(f"{PEOPLE}/{record['kind']}/{record['id']}").raise_for_status().json()
    return found


def roles(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [(record["kind"], record["role"]) for record in found["records"]]


class TestSame:
    def test_shows_both_records_on_one_page(self, http: httpx2.Client, staff: dict[str, str]) -> None:
        assert len(page(http, MEMBER)["suggestions"]) == 1
        assert decide(http, staff, MEMBER, reason="本人から電話").status_code == 201
        for record, other in ((MEMBER, "staff"), (staff, "member")):
            found = page(http, record)
            assert roles(found) == [(record["kind"], "self"), (other, "joined")]
            assert found["suggestions"] == []
            (link,) = found["links"]
            assert (link["origin"], link["by"], link["reason"]) == ("decision", f"admin:{ADMIN}", "本人から電話")

    def test_changes_no_other_table_and_is_audited(
        self, product: Product, http: httpx2.Client, staff: dict[str, str]
    ) -> None:
        make_friend(product.db, user_id(1), "山田太郎")
        before = [product.rows(model) for model in (Member, StaffAccount, LineFriend)]
        decide(http, MEMBER, staff).raise_for_status()
        decide(http, {"kind": "line", "id": user_id(1)}, MEMBER).raise_for_status()
        assert [product.rows(model) for model in (Member, StaffAccount, LineFriend)] == before
        entries = audited(product.db, "PERSON_DECIDE")
        assert [(entry["actor"], entry["subject"]) for entry in entries] == [
            (f"admin:{ADMIN}", "member:101"),
            (f"admin:{ADMIN}", f"line:{user_id(1)}"),
        ]

    def test_reaches_on_over_several_records(
        self, product: Product, http: httpx2.Client, staff: dict[str, str]
    ) -> None:
        enrol(product.db, (102, "山田太朗"))
        second = {"kind": "member", "id": "102"}
        decide(http, MEMBER, staff).raise_for_status()
        decide(http, staff, second).raise_for_status()
        assert sorted(roles(page(http, MEMBER))) == [("member", "joined"), ("member", "self"), ("staff", "joined")]


class TestDifferent:
    def test_takes_the_suggestion_away(self, http: httpx2.Client, staff: dict[str, str]) -> None:
        decide(http, MEMBER, staff, "different", reason="生年月日が違う").raise_for_status()
        for record, other in ((MEMBER, staff), (staff, MEMBER)):
            found = page(http, record)
            assert (found["suggestions"], len(found["records"])) == ([], 1)
            (apart,) = found["decided_apart"]
            assert (apart["record"]["id"], apart["reason"], apart["beside"]) == (other["id"], "生年月日が違う", record)


class TestANewDecision:
    def test_counts_instead_of_the_old_one_which_stays(
        self, product: Product, http: httpx2.Client, staff: dict[str, str]
    ) -> None:
        for verdict in ("same", "different", "open"):
            decide(http, MEMBER, staff, verdict).raise_for_status()
        found = page(http, MEMBER)
        assert (len(found["records"]), len(found["suggestions"]), found["decided_apart"]) == (1, 1, [])
        assert [row["verdict"] for row in product.rows(PersonDecision)] == ["same", "different", "open"]

    def test_of_the_same_click_is_one(self, product: Product, http: httpx2.Client, staff: dict[str, str]) -> None:
        body = {"first": MEMBER, "second": staff, "verdict": "same"}
        answers = [http.post(DECISIONS, json=body, headers={"idempotency-key": "click-1"}) for _ in range(2)]
        assert answers[0].content == answers[1].content
        assert len(product.rows(PersonDecision)) == 1


def run(tx: Tx, statement: str) -> None:
    tx.execute(text(statement))


@pytest.mark.usefixtures("staff")
def test_no_row_is_ever_changed_or_removed(product: Product, http: httpx2.Client) -> None:
    enrol(product.db, (102, "山田太朗"))
    decide(http, MEMBER, {"kind": "member", "id": "102"}).raise_for_status()
    before = product.rows(PersonDecision)
    for statement in ("UPDATE person_decisions SET verdict = 'different'", "DELETE FROM person_decisions"):
        with pytest.raises(DBAPIError, match="append-only"):
            product.db.write_now(run, statement)
    assert product.rows(PersonDecision) == before


@sqlite_only
def test_bad_decisions_are_refused_and_change_nothing(
    product: Product, http: httpx2.Client, staff: dict[str, str]
) -> None:
    nobody = {"kind": "member", "id": "999"}
    assert code(decide(http, MEMBER, nobody)) == (404, "NO_SUCH_PERSON")
    assert code(decide(http, MEMBER, MEMBER)) == (400, "SAME_RECORD")
    assert fault(decide(http, MEMBER, staff, "perhaps"))[:2] == (400, "verdict")
    assert fault(decide(http, MEMBER, {"kind": "robot", "id": "1"}))[:2] == (400, "second.kind")
    assert fault(decide(http, MEMBER, {"kind": "member", "id": "1\0"}))[:2] == (400, "second.id")
    assert fault(decide(http, MEMBER, staff, reason="x" * 201))[:2] == (400, "reason")
    assert fault(decide(http, MEMBER, staff, reason="a\0b"))[:2] == (400, "reason")
    assert fault(decide(http, MEMBER, staff, decided_by="admin:other"))[:2] == (400, "decided_by")
    assert product.rows(PersonDecision) == []
