"""The page of one person: its records, how each link came about, and who else it may be."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from tests.booking.office import audited, code, office
from tests.factories.booking import bearer, make_staff
from tests.factories.people import kill_address, make_customer, make_friend
from tests.factories.product import ADMIN, Box, Product
from tests.factories.threads import make_thread
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import enrol
from tsudoi.core import audit
from tsudoi.core.addresses import mail_key
from tsudoi.core.clock import ManualClock
from tsudoi.roster.members.models import Member

PEOPLE = "/api/admin/people"
LINE = user_id(1)


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as found:
        yield found


def page(http: httpx2.Client, kind: str, record_id: str | int) -> dict[str, Any]:
    answer = http.get(f"{PEOPLE}/{kind}/{record_id}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def shown(found: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(record["kind"], record["role"], record["state"]) for record in found["records"]]


def origins(found: dict[str, Any]) -> list[tuple[str, str | None]]:
    return [(link["origin"], link["by"]) for link in found["links"]]


class TestALink:
    """How it came about."""

    def test_by_name_and_by_the_person(self, product: Product, box: Box, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"), (102, "佐藤花子"))
        box.does(box.person("山田 太郎"), "follow")
        product.drain()
        sato = box.friend("ハナ")
        with product.client() as phone:
            phone.post("/api/liff/session", json={"id_token": box.id_token(sato)}).raise_for_status()
            phone.post("/api/liff/register", json={"full_name": "佐藤花子"}).raise_for_status()
        assert origins(page(http, "member", 101)) == [("name", "line:follow")]
        assert origins(page(http, "member", 102)) == [("registration", "line:register")]

    def test_by_the_office(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"))
        make_friend(product.db, LINE, "たろ")
        body = {"user_id": LINE, "member_id": 101, "reason": "電話で確認"}
        assert http.post("/api/admin/links", json=body).status_code == 201
        found = page(http, "member", 101)
        (link,) = found["links"]
        assert (link["origin"], link["by"], link["reason"]) == ("office", f"admin:{ADMIN}", "電話で確認")
        assert link["at"] == "2025-08-16T12:00:00+09:00"
        assert shown(found) == [("member", "self", "active"), ("line", "linked", "active")]

    def test_by_the_sheet_also_when_many_share_one_entry(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"), line_user_id=LINE)
        enrol(product.db, (102, "佐藤花子"), line_user_id=user_id(2))
        new = {"line_user_id": LINE}
        product.db.write_now(audit.record, "cli", "LINK", "member:101", reason="sheet", new=new)
        product.db.write_now(audit.record, "cli", "LINK", "members", reason="sheet", new={"member_ids": [102]})
        for member_id in (101, 102):
            found = page(http, "member", member_id)
            assert origins(found) == [("sheet", "cli")]
            # Nobody with this id has added the account.
            assert shown(found)[1] == ("line", "linked", "broken")

    def test_that_was_written_by_hand_has_an_unknown_origin(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"), line_user_id=LINE)
        assert origins(page(http, "member", 101)) == [("unknown", None)]
        # An entry about another LINE user says nothing about this one.
        product.db.write_now(audit.record, "cli", "LINK", "member:101", new={"line_user_id": user_id(9)})
        assert origins(page(http, "member", 101)) == [("unknown", None)]

    def test_of_staff_comes_from_the_portal(self, product: Product, box: Box, http: httpx2.Client) -> None:
        person = make_staff(product.db)
        with product.client(headers=bearer(product.db, person)) as phone:
            token = box.id_token(box.friend("たろ"))
            phone.post("/api/liff/session", json={"id_token": token}).raise_for_status()
            phone.post("/api/staffs/me/line-link", json={}).raise_for_status()
        assert origins(page(http, "staff", person.staff_uid)) == [("portal", f"staff:{person.staff_uid}")]

    def test_of_a_customer_is_a_proof(self, product: Product, http: httpx2.Client) -> None:
        make_friend(product.db, LINE, "はな", following=False)
        found = page(http, "customer", make_customer(product.db, LINE))
        assert origins(found) == [("proof", None)]
        subject = f"customer_link:{found['id']}"
        product.db.write_now(audit.record, "admin:yamada", "CUSTOMER_LINK", subject, reason="来店時に確認")
        assert origins(page(http, "customer", found["id"])) == [("office", "admin:yamada")]
        assert shown(found) == [("customer", "self", "blocked"), ("line", "linked", "blocked")]


class TestTheRecords:
    def test_of_a_line_user_are_all_that_are_linked_to_it(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"), line_user_id=LINE)
        make_staff(product.db, line_user_id=LINE)
        make_customer(product.db, LINE)
        make_friend(product.db, LINE, "たろ")
        found = page(http, "line", LINE)
        assert found["name"] == "たろ"
        assert sorted(record["kind"] for record in found["records"]) == ["customer", "line", "member", "staff"]
        assert found["suggestions"] == []

    def test_of_a_line_user_without_a_row_are_shown_too(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"), line_user_id=LINE)
        found = page(http, "line", LINE)
        assert (found["name"], shown(found)) == (
            "山田太郎",
            [("line", "self", "broken"), ("member", "linked", "active")],
        )

    def test_say_their_state(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"), withdrawn_at=product.db.clock.now())
        left = make_staff(product.db, status="left")
        paused = make_staff(product.db, status="suspended")
        make_friend(product.db, LINE, following=False)
        make_thread(product.db, "raj@example.com")
        kill_address(product.db, "raj@example.com")
        digits = mail_key("raj@example.com")[2:]
        states = {
            ("member", "101"): "withdrawn",
            ("staff", left.staff_uid): "left",
            ("staff", paused.staff_uid): "suspended",
            ("line", LINE): "blocked",
            ("address", digits): "broken",
        }
        for (kind, record_id), state in states.items():
            assert page(http, kind, record_id)["records"][0]["state"] == state, kind

    def test_show_an_address_only_where_another_screen_does(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"), email="taro@example.jp")
        staff = make_staff(product.db, email="jiro@example.jp")
        make_thread(product.db, "raj@example.com")
        answers = [
            http.get(f"{PEOPLE}/{kind}/{record_id}").text
            for kind, record_id in (
                ("member", "101"),
                ("staff", staff.staff_uid),
                ("address", mail_key("raj@example.com")[2:]),
            )
        ]
        assert "taro@" not in answers[0]
        assert "t***@example.jp" in answers[0]
        assert "jiro@example.jp" in answers[1]
        assert "raj@example.com" in answers[2]
        assert not [text for text in answers if "pin" in text or "patient" in text]

    def test_nobody_is_404(self, http: httpx2.Client) -> None:
        for path in (
            "member/999",
            "member/0101",
            "member/99999999999999999999",
            "member/abc",
            "staff/nobody",
            f"line/{user_id(7)}",
            "customer/9",
            "address/0123456789abcdef",
        ):
            assert code(http.get(f"{PEOPLE}/{path}")) == (404, "NO_SUCH_PERSON"), path
        assert http.get(f"{PEOPLE}/robot/1").status_code == 400
        assert http.get(f"{PEOPLE}/member/%00").status_code == 400


class TestASuggestion:
    def test_is_somebody_with_the_same_line_user_mail_or_name(self, product: Product, http: httpx2.Client) -> None:
        known = {"email": "taro@example.jp", "kana": "やまだ たろう"}
        enrol(product.db, (101, "山田 太郎"), line_user_id=LINE, nfkc=False, **known)
        same_line = make_staff(product.db, family_name="鈴木", given_name="一", line_user_id=LINE)
        same_mail = make_staff(product.db, family_name="田中", given_name="二", email="Taro@example.jp")
        names = {"family_name": "山田", "given_name": "太郎"}
        same_name = make_staff(product.db, **names, family_name_kana="ヤマダ", given_name_kana="タロウ")
        make_staff(product.db, **names, family_name_kana="ヤマダ", given_name_kana="フトロウ")
        make_thread(product.db, "taro@example.jp")
        make_friend(product.db, user_id(2), "山田　太郎")
        found = page(http, "member", 101)
        suggested = {(one["record"]["kind"], one["record"]["id"]): one["shared"] for one in found["suggestions"]}
        assert suggested == {
            ("staff", same_line.staff_uid): ["line_user"],
            ("staff", same_mail.staff_uid): ["mail"],
            ("staff", same_name.staff_uid): ["name"],
            ("address", mail_key("taro@example.jp")[2:]): ["mail"],
            ("line", user_id(2)): ["name"],
        }
        assert {one["beside"]["id"] for one in found["suggestions"]} == {"101"}

    def test_never_joins_anything_by_itself(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"), line_user_id=LINE)
        make_friend(product.db, LINE, "山田太郎")
        make_staff(product.db, family_name="山田", given_name="太郎", line_user_id=LINE)
        before = product.rows(Member)
        found = page(http, "member", 101)
        assert [record["kind"] for record in found["records"]] == ["member", "line"]
        assert product.rows(Member) == before


class TestLooking:
    def test_is_audited_once_per_administrator_person_and_hour(
        self, product: Product, http: httpx2.Client, clock: ManualClock
    ) -> None:
        enrol(product.db, (101, "山田太郎"), line_user_id=LINE)
        enrol(product.db, (102, "佐藤花子"))
        for member_id in (101, 101, 102):
            page(http, "member", member_id)
        clock.advance(timedelta(minutes=59))
        page(http, "member", 101)
        entries = audited(product.db, "PERSON_VIEW")
        assert [(entry["actor"], entry["subject"]) for entry in entries] == [
            (f"admin:{ADMIN}", "member:101"),
            (f"admin:{ADMIN}", "member:102"),
        ]
        assert entries[0]["new"] == f'{{"records":["member:101","line:{LINE}"]}}'
        clock.advance(timedelta(minutes=2))
        page(http, "member", 101)
        assert len(audited(product.db, "PERSON_VIEW")) == 3

    def test_at_nobody_leaves_no_entry(self, product: Product, http: httpx2.Client) -> None:
        http.get(f"{PEOPLE}/member/999")
        assert audited(product.db, "PERSON_VIEW") == []


@sqlite_only
def test_a_link_that_moved_on_is_not_told_with_the_old_story(product: Product, http: httpx2.Client) -> None:
    enrol(product.db, (101, "山田太郎"))
    make_friend(product.db, LINE)
    body = {"user_id": LINE, "member_id": 101, "reason": "電話で確認"}
    http.post("/api/admin/links", json=body).raise_for_status()
    moved = update(Member).where(Member.id == 101).values(line_user_id=user_id(2))
    product.db.write_now(lambda tx: tx.execute(moved))
    assert origins(page(http, "member", 101)) == [("unknown", None)]
