"""People are found in all parts of the product, however somebody writes their names."""

from collections.abc import Iterator

import httpx2
import pytest

from tests.booking.office import fault, office
from tests.factories.booking import make_staff
from tests.factories.people import make_customer, make_friend
from tests.factories.product import Product
from tests.factories.threads import make_thread
from tests.factories.webhooks import user_id
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.roster.members.people import enrol

PEOPLE = "/api/admin/people"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as found:
        yield found


@pytest.fixture
def watanabes(product: Product) -> str:
    """One name in every part of the product; returns the `staff_uid`."""
    enrol(product.db, (101, "渡邉 花子"), kana="わたなべ はなこ", email="hanako@example.jp")
    enrol(product.db, (102, "佐藤 一郎"))
    names = {"family_name": "渡辺", "given_name": "花子", "family_name_kana": "ワタナベ", "given_name_kana": "ハナコ"}
    made = make_staff(product.db, "446752", **names)
    make_friend(product.db, user_id(1), "渡邊花子")
    make_customer(product.db, user_id(1), "cus_777")
    make_thread(product.db, "Watanabe.Hanako@example.com")
    return made.staff_uid


def found(http: httpx2.Client, words: str, **more: str | int) -> dict[str, list[str]]:
    answer = http.get(PEOPLE, params={"query": words, **more})
    assert answer.status_code == 200, answer.text
    return {group["kind"]: [item["id"] for item in group["items"]] for group in answer.json()["groups"]}


class TestSearch:
    def test_finds_a_name_in_every_spelling_and_every_part(self, http: httpx2.Client, watanabes: str) -> None:
        for words in ("渡辺花子", "渡邊　花子", " 渡邉 花 子"):
            ours = found(http, words)
            assert ours["member"] == ["101"], words
            assert ours["staff"] == [watanabes], words
            assert ours["line"] == [user_id(1)], words
            # A customer has no name but that of the LINE user.
            assert len(ours["customer"]) == 1, words

    def test_finds_readings_addresses_and_numbers(self, http: httpx2.Client, watanabes: str) -> None:
        assert found(http, "ワタナベ") == {"member": ["101"], "staff": [watanabes]}
        assert found(http, "HANAKO@example.jp") == {"member": ["101"]}
        assert list(found(http, "watanabe.hanako@")) == ["address"]
        assert found(http, "446752") == {"staff": [watanabes]}
        assert list(found(http, "CUS_777")) == ["customer"]
        assert set(found(http, user_id(1))) == {"line", "customer"}

    def test_shows_who_it_is_and_hides_the_address_of_a_member(self, http: httpx2.Client, watanabes: str) -> None:
        assert found(http, "はなこ")["staff"] == [watanabes]
        (group,) = http.get(PEOPLE, params={"query": "はなこ", "kind": "member"}).json()["groups"]
        (item,) = group["items"]
        assert (group["total"], item["name"], item["kana"], item["contact"], item["state"]) == (
            1,
            "渡邉 花子",
            "わたなべ はなこ",
            "h***@example.jp",
            "active",
        )

    def test_an_empty_question_finds_nobody(self, http: httpx2.Client, watanabes: str) -> None:
        assert found(http, "446752") == {"staff": [watanabes]}
        for words in ("", " \u3000\u200b", "存在しない"):
            assert found(http, words) == {}

    def test_a_long_list_says_how_long_it_is(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, *((number, f"田中{number}") for number in range(1, 31)))
        (group,) = http.get(PEOPLE, params={"query": "田中"}).json()["groups"]
        assert (group["total"], len(group["items"])) == (30, 20)
        assert len(found(http, "田中", kind="member", limit=200)["member"]) == 30

    def test_those_who_left_come_last(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (1, "田中一"), withdrawn_at=product.db.clock.now(), display_order=1)
        enrol(product.db, (2, "田中二"), display_order=2)
        assert found(http, "田中")["member"] == ["2", "1"]


@sqlite_only
def test_bad_questions_are_refused(http: httpx2.Client) -> None:
    assert fault(http.get(PEOPLE, params={"query": "a\0b"}))[:2] == (400, "query")
    assert fault(http.get(PEOPLE, params={"query": "x" * 101}))[:2] == (400, "query")
    assert fault(http.get(PEOPLE, params={"query": "x", "kind": "robot"}))[:2] == (400, "kind")
    assert fault(http.get(PEOPLE, params={"query": "x", "limit": 0}))[:2] == (400, "limit")


@sqlite_only
def test_a_part_that_is_off_knows_nobody(make_product: ProductMaker) -> None:
    product = make_product(features=["events"])
    make_staff(product.db, family_name="渡辺")
    enrol(product.db, (101, "渡辺花子"))
    with office(product) as http:
        assert found(http, "渡辺") == {"member": ["101"]}
        findings = {one["code"] for one in http.get(f"{PEOPLE}/drift").json()["findings"]}
    assert "member_blocked" in findings
    assert not [code for code in findings if code.startswith("staff")]
