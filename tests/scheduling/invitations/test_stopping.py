"""`/i/{token}/unsubscribe` and `/resubscribe`: one click, without log-in, twice the same as once."""

from datetime import timedelta

import pytest

from tests.conftest import NOON
from tests.factories.product import Product
from tests.factories.threads import MadeInvite, change, make_thread
from tests.product_fixtures import sqlite_only
from tests.scheduling.invitations.test_respond import ANNA, BEN
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadInvite

ONE_CLICK = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def anna(product: Product) -> MadeInvite:
    return make_thread(product.db, ANNA, BEN).invites[0]


def stopped(product: Product) -> list[object]:
    return [row["mail_stopped_at"] for row in sorted(product.rows(ThreadInvite), key=lambda row: str(row["email"]))]


@sqlite_only
class TestStopping:
    def test_by_one_click_of_a_mail_program(self, product: Product, anna: MadeInvite, clock: ManualClock) -> None:
        url = f"{anna.path}/unsubscribe"
        for _ in range(2):
            answer = product.http.post(url, content=b"List-Unsubscribe=One-Click", headers=ONE_CLICK)
            assert answer.status_code == 200
            assert not answer.history
            assert "set-cookie" not in answer.headers
            clock.advance(timedelta(minutes=1))
        assert stopped(product) == [NOON, None], "the first time, and nobody else"

    def test_as_multipart_too(self, product: Product, anna: MadeInvite) -> None:
        answer = product.http.post(f"{anna.path}/unsubscribe", files={"List-Unsubscribe": (None, "One-Click")})
        assert answer.status_code == 200
        assert stopped(product) == [NOON, None]

    def test_by_the_button_of_the_page(self, product: Product, anna: MadeInvite) -> None:
        page = product.http.get(f"{anna.path}/unsubscribe")
        assert page.status_code == 200
        assert f'<form method="post" action="{anna.path}/unsubscribe">' in page.text
        assert stopped(product) == [None, None], "looking changes nothing"
        done = product.http.post(f"{anna.path}/unsubscribe", headers={"origin": "null"})
        assert done.status_code == 200
        assert "メールを停止しました" in done.text
        assert f'href="{anna.path}"' in done.text
        assert "メールを停止しました" in product.http.get(f"{anna.path}/unsubscribe").text

    def test_of_an_unknown_link_is_a_friendly_404(self, product: Product) -> None:
        for answer in (product.http.get("/i/unknown/unsubscribe"), product.http.post("/i/unknown/unsubscribe")):
            assert answer.status_code == 404
            assert "リンクをご確認ください" in answer.text


class TestStartingAgain:
    def test_the_own_page_offers_it_to_people_who_have_stopped(self, product: Product, anna: MadeInvite) -> None:
        button = f'<form method="post" action="{anna.path}/resubscribe">'
        assert button not in product.http.get(anna.path).text
        stopped_page = product.http.post(f"{anna.path}/unsubscribe")
        assert button in stopped_page.text
        page = product.http.get(anna.path)
        assert page.status_code == 200
        assert button in page.text
        assert product.http.get(f"{anna.path}/resubscribe").status_code == 200
        assert stopped(product) == [NOON, None], "looking changes nothing"
        for _ in range(2):
            again = product.http.post(f"{anna.path}/resubscribe", headers={"origin": "null"})
            assert (again.status_code, "メールを再開しました" in again.text) == (200, True)
        assert stopped(product) == [None, None]
        assert button not in product.http.get(anna.path).text
        assert "メールを停止しますか" in product.http.get(f"{anna.path}/unsubscribe").text

    def test_both_are_on_record_once_and_open_boards_hear_of_it(self, product: Product, anna: MadeInvite) -> None:
        before = product.rows(SchedulingThread)[0]["revision"]
        for verb in ("unsubscribe", "unsubscribe", "resubscribe", "resubscribe"):
            product.http.post(f"{anna.path}/{verb}").raise_for_status()
        recorded = [(row["actor"], row["action"]) for row in product.rows(AuditLog)]
        assert recorded[-2:] == [("invitee", "THREAD_MAILS_STOP"), ("invitee", "THREAD_MAILS_RESUME")]
        assert product.rows(SchedulingThread)[0]["revision"] == before + 2

    @sqlite_only
    def test_a_cancelled_thread_offers_nothing(self, product: Product, anna: MadeInvite) -> None:
        product.http.post(f"{anna.path}/unsubscribe").raise_for_status()
        change(product.db, SchedulingThread, SchedulingThread.id.is_not(None), status="cancelled")
        assert "resubscribe" not in product.http.get(anna.path).text

    @sqlite_only
    def test_of_an_unknown_link_is_a_friendly_404(self, product: Product) -> None:
        for answer in (product.http.get("/i/unknown/resubscribe"), product.http.post("/i/unknown/resubscribe")):
            assert answer.status_code == 404
            assert "リンクをご確認ください" in answer.text


@sqlite_only
@pytest.mark.found("24.E7")
def test_one_link_can_be_turned_to_and_fro_ten_times_an_hour(
    product: Product, anna: MadeInvite, clock: ManualClock
) -> None:
    ways = ("unsubscribe", "resubscribe") * 7
    told = [product.http.post(f"{anna.path}/{way}") for way in ways]
    assert [answer.status_code for answer in told] == [200] * 10 + [429] * 4
    assert "少し時間をおいてください" in told[-1].text
    assert len([row for row in product.rows(AuditLog) if row["action"].startswith("THREAD_MAILS")]) == 10
    clock.advance(timedelta(hours=1))
    assert product.http.post(f"{anna.path}/unsubscribe").status_code == 200
