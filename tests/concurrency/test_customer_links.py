"""Many LINE users who prove to be the same customer at the same instant: one link, and conflicts for the others."""

import time
from collections import Counter

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from tests.concurrency.threads import at_once
from tests.factories.customers import CODE, MAIL, Door, PhoneMaker, make_shop
from tests.product_fixtures import box, impatient, make_product, plain_log, postgresql_only, shared_box
from tests.shops.door_fixtures import door, phone, product
from tsudoi.core.db.interface import Database, ReadTx
from tsudoi.shops.links.errors import CustomerLinkConflict
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.links.queries import links_of_pair
from tsudoi.shops.links.rules import CustomerPair, StoredLink
from tsudoi.shops.links.service import linking

__all__ = ["box", "door", "impatient", "make_product", "phone", "plain_log", "product", "shared_box"]

PEOPLE, ROUNDS = 8, 4


def users() -> list[str]:
    return [f"U{number:032x}" for number in range(PEOPLE)]


def race(db: Database, customer: str, *, transfer: bool = False) -> Counter[str]:
    def one(number: int) -> str:
        pair = CustomerPair(1, users()[number], customer)
        try:
            return db.write_now(linking.link_customer, pair, "test", transfer=transfer).value
        except CustomerLinkConflict:
            return "conflict"
        except IntegrityError:
            return "broken"

    return Counter(at_once(PEOPLE, one))


def holders(db: Database, customer: str) -> list[str]:
    wanted = select(CustomerLink.external_user_id).where(CustomerLink.stores_customer_id == customer)
    return list(db.read_now(lambda tx: tx.execute(wanted).scalars().all()))


def test_one_wins_and_the_others_hear_of_a_conflict(db: Database) -> None:
    make_shop(db)
    for number in range(ROUNDS):
        seen = race(db, str(100 + number))
        assert sum(count for what, count in seen.items() if what in ("create", "change")) == 1, seen
        assert seen["conflict"] == PEOPLE - 1, seen
        assert len(holders(db, str(100 + number))) == 1


def test_transfers_go_one_after_the_other(db: Database) -> None:
    make_shop(db)
    seen = race(db, "100", transfer=True)
    assert seen["broken"] == seen["conflict"] == 0, seen
    assert len(holders(db, "100")) == 1


@postgresql_only
def test_control_without_the_lock_the_index_decides(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits, and everybody pauses between reading and writing: then transfers end in conflicts."""

    def slowly(tx: ReadTx, pair: CustomerPair) -> tuple[StoredLink | None, StoredLink | None]:
        found = links_of_pair(tx, pair)
        time.sleep(0.1)
        return found

    monkeypatch.setattr(linking, "_lock_shop", lambda *_: None)
    monkeypatch.setattr(linking, "links_of_pair", slowly)
    make_shop(db)
    seen = race(db, "100", transfer=True)
    assert seen["conflict"] > 0, seen
    assert seen["broken"] == 0, seen
    assert len(holders(db, "100")) == 1


def test_over_http_nobody_sees_a_failure_of_ours(door: Door, phone: PhoneMaker) -> None:
    door.stores.customer(123)
    phones = [phone(f"電話{number}") for number in range(4)]
    codes = []
    for one in phones:
        assert one.asks().status_code == 202
        codes.append(CODE.findall(door.mails(MAIL)[-1])[0])
    answers = at_once(len(phones), lambda number: phones[number].confirms(codes[number]).status_code)
    assert Counter(answers) == {200: 1, 409: 3}
    assert len(holders(door.product.db, "123")) == 1


def test_a_code_is_tried_five_times_however_many_try_at_once(door: Door, phone: PhoneMaker) -> None:
    taro = phone()
    code = taro.code()
    wrong = "000000" if code != "000000" else "111111"
    answers = Counter(at_once(12, lambda _: taro.confirms(wrong).status_code))
    assert answers == {400: 5, 410: 7}


def test_a_link_is_used_once_however_many_press_at_once(door: Door) -> None:
    door.stores.customer(123)
    link = door.link()

    def press(_number: int) -> int:
        with door.product.client() as http:
            return http.post(link, follow_redirects=False).status_code

    assert Counter(at_once(8, press)) == {303: 1, 410: 7}
    assert door.stores.asked().count("/customers") == 1
