"""The drift report: links that lead nowhere, records that contradict each other, names that appear twice."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.booking.office import code, fault, office
from tests.factories.booking import make_staff
from tests.factories.people import kill_address, make_customer, make_friend
from tests.factories.product import Product
from tests.factories.threads import make_thread
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import enrol
from tsudoi.core.addresses import mail_key
from tsudoi.core.clock import ManualClock

DRIFT = "/api/admin/people/drift"
DECISIONS = "/api/admin/people/decisions"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as found:
        yield found


def finding(http: httpx2.Client, name: str, **more: Any) -> dict[str, Any]:
    answer = http.get(DRIFT, params={"finding": name, **more})
    assert answer.status_code == 200, answer.text
    (found,) = answer.json()["findings"]
    assert found["code"] == name
    return dict(found)


def who(http: httpx2.Client, name: str) -> list[tuple[str, str | None, str | None]]:
    """The name of each record, of the other one, and the note."""
    items = finding(http, name)["items"]
    return [(item["record"]["name"], item["other"] and item["other"]["name"], item["note"]) for item in items]


def decide(http: httpx2.Client, first: tuple[str, str], second: tuple[str, str], verdict: str) -> None:
    keys = [{"kind": kind, "id": record_id} for kind, record_id in (first, second)]
    http.post(DECISIONS, json={"first": keys[0], "second": keys[1], "verdict": verdict}).raise_for_status()


class TestLinks:
    def test_of_members_to_somebody_who_blocked_or_never_followed(self, product: Product, http: httpx2.Client) -> None:
        for number, following in ((1, True), (2, False)):
            make_friend(product.db, user_id(number), f"友だち{number}", following=following)
        for number in (1, 2, 3):
            enrol(product.db, (number, f"会員{number}"), line_user_id=user_id(number))
        enrol(product.db, (4, "会員4"))
        make_friend(product.db, user_id(5), following=False)
        enrol(product.db, (5, "会員5"), line_user_id=user_id(5), withdrawn_at=product.db.clock.now())
        assert who(http, "member_blocked") == [("会員2", "友だち2", None)]
        assert who(http, "member_line_unknown") == [("会員3", "", None)]
        assert finding(http, "member_blocked")["items"][0]["path"] == "/members?show=blocked"

    def test_of_staff_to_somebody_who_blocked(self, product: Product, http: httpx2.Client) -> None:
        make_friend(product.db, user_id(1), "たろ", following=False)
        gone = make_staff(product.db, "1", family_name="山田", given_name="太郎", line_user_id=user_id(1))
        make_friend(product.db, user_id(2), following=False)
        make_staff(product.db, "2", line_user_id=user_id(2), status="left")
        (item,) = finding(http, "staff_blocked")["items"]
        assert (item["record"]["name"], item["other"]["name"], item["path"]) == (
            "山田太郎",
            "たろ",
            f"/staffs/{gone.staff_uid}",
        )

    def test_of_customers_to_nobody(self, product: Product, http: httpx2.Client) -> None:
        make_friend(product.db, user_id(1), "いる")
        make_friend(product.db, user_id(2), "去った", following=False)
        for number in (1, 2, 3):
            make_customer(product.db, user_id(number), f"cus_{number}", f"店{number}")
        assert who(http, "customer_line_gone") == [
            ("店2 cus_2", "去った", "ブロックされています"),
            ("店3 cus_3", "", "友だちの記録がありません"),
        ]


class TestContradictions:
    def test_one_line_user_with_two_names(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (1, "山田 太郎"), line_user_id=user_id(1))
        enrol(product.db, (2, "佐藤花子"), line_user_id=user_id(2))
        make_staff(product.db, "1", family_name="山田", given_name="太郎", line_user_id=user_id(1))
        married = make_staff(product.db, "2", family_name="鈴木", given_name="花子", line_user_id=user_id(2))
        assert who(http, "staff_member_names_differ") == [("鈴木花子", "佐藤花子", None)]
        # Married: the office knows that she is the same person.
        decide(http, ("staff", married.staff_uid), ("member", "2"), "same")
        assert who(http, "staff_member_names_differ") == []

    def test_one_person_by_decision_whose_links_differ(self, product: Product, http: httpx2.Client) -> None:
        links = {1: (1, None), 2: (None, 2), 3: (3, 33), 4: (4, 4), 5: (None, None)}
        for number, (members, staffs) in links.items():
            enrol(product.db, (number, f"会員{number}"), line_user_id=members and user_id(members))
            staff = make_staff(
                product.db,
                str(number),
                family_name=f"職員{number}",
                given_name="",
                line_user_id=staffs and user_id(staffs),
            )
            decide(http, ("member", str(number)), ("staff", staff.staff_uid), "same")
        assert who(http, "same_person_other_line") == [
            ("職員1", "会員1", "会員だけがLINEと連携しています"),
            ("職員2", "会員2", "職員だけがLINEと連携しています"),
            ("職員3", "会員3", "別々のLINEと連携しています"),
        ]


class TestNames:
    def test_that_appear_twice(self, product: Product, http: httpx2.Client) -> None:
        enrol(
            product.db, (1, "山田 太郎"), (2, "山田太郎"), (3, "山田花子"), (9, "山田太郎"), (10, "高橋"), (11, "髙橋")
        )
        enrol(product.db, (4, "山田花子"), withdrawn_at=product.db.clock.now())
        for number, given in (("1", "太郎"), ("2", "太郎"), ("3", "花子")):
            make_staff(product.db, number, family_name="山田", given_name=given)
        make_staff(product.db, "4", family_name="山田", given_name="花子", status="left")
        assert who(http, "member_name_twice") == [
            ("山田 太郎", None, "同じ名前: 3件"),
            ("山田太郎", None, "同じ名前: 3件"),
            ("山田太郎", None, "同じ名前: 3件"),
        ]
        assert [name for name, _, _ in who(http, "staff_name_twice")] == ["山田太郎", "山田太郎"]

    def test_disappear_when_all_are_decided_to_be_two_people(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (9, "山田太郎"), (10, "山田太郎"), (11, "山田太郎"))
        decide(http, ("member", "9"), ("member", "10"), "different")
        assert finding(http, "member_name_twice")["total"] == 3
        decide(http, ("member", "11"), ("member", "9"), "different")
        # 9 is nobody else. 10 and 11 have not been compared yet.
        ids = [item["record"]["id"] for item in finding(http, "member_name_twice")["items"]]
        assert ids == ["10", "11"]
        decide(http, ("member", "10"), ("member", "11"), "different")
        assert finding(http, "member_name_twice")["total"] == 0
        decide(http, ("member", "11"), ("member", "10"), "open")
        assert finding(http, "member_name_twice")["total"] == 2


def test_dead_mail_addresses(product: Product, http: httpx2.Client, clock: ManualClock) -> None:
    for address in ("taro@example.jp", "jiro@example.jp", "raj@example.com"):
        kill_address(product.db, address)
    enrol(product.db, (1, "山田太郎"), email="Taro@example.jp")
    enrol(product.db, (2, "佐藤花子"), email="hana@example.jp")
    make_staff(product.db, family_name="山田", given_name="次郎", email="jiro@example.jp")
    make_thread(product.db, "raj@example.com", "kim@example.com")
    clock.advance(timedelta(minutes=1))
    new = make_thread(product.db, "raj@example.com")
    assert who(http, "member_mail_dead") == [("山田太郎", None, "5.1.1")]
    assert who(http, "staff_mail_dead") == [("山田次郎", None, "5.1.1")]
    (item,) = finding(http, "invitee_mail_dead")["items"]
    assert (item["record"]["id"], item["path"]) == (mail_key("raj@example.com")[2:], f"/threads/{new.id}")


class TestTheReport:
    def test_names_every_finding_also_an_empty_one(self, http: httpx2.Client) -> None:
        findings = http.get(DRIFT).json()["findings"]
        assert {one["code"] for one in findings} == {
            "member_blocked",
            "member_line_unknown",
            "member_name_twice",
            "member_mail_dead",
            "staff_blocked",
            "staff_member_names_differ",
            "same_person_other_line",
            "staff_name_twice",
            "staff_mail_dead",
            "invitee_mail_dead",
            "customer_line_gone",
        }
        assert {(one["total"], len(one["items"]), one["next_cursor"]) for one in findings} == {(0, 0, None)}
        assert all(one["title"] and one["advice"] for one in findings)

    def test_has_pages(self, product: Product, http: httpx2.Client) -> None:
        for number in range(1, 26):
            enrol(product.db, (number, "山田太郎"), display_order=number)
        listed: list[str] = []
        cursor: str | None = None
        for _ in range(3):
            found = finding(http, "member_name_twice", limit=10, **({} if cursor is None else {"cursor": cursor}))
            assert found["total"] == 25
            listed += [item["record"]["id"] for item in found["items"]]
            cursor = found["next_cursor"]
        assert (len(set(listed)), cursor) == (25, None)
        # A page behind the end, because somebody mended the rest meanwhile.
        behind = "WzUwMF0"
        assert finding(http, "member_name_twice", cursor=behind) == {**found, "items": [], "next_cursor": None}


@sqlite_only
def test_bad_questions_are_refused(http: httpx2.Client) -> None:
    assert code(http.get(DRIFT, params={"finding": "nothing"})) == (404, "NO_SUCH_FINDING")
    assert fault(http.get(DRIFT, params={"finding": "member_blocked", "cursor": "!"}))[:2] == (400, "cursor")
    # A forged position before the beginning is the beginning.
    assert finding(http, "member_blocked", cursor="Wy01XQ")["total"] == 0
    assert fault(http.get(DRIFT, params={"limit": 201}))[:2] == (400, "limit")
