"""`/api/admin/telephone-list`: whom the office has to call, who called, and what leaves the list by itself."""

from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from tests.factories.product import Box
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.scheduling.organizing.desk import RAJ, Desk, desk_at
from tests.scheduling.organizing.test_changing import path
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.roster.telephone.models import TelephoneCall
from tsudoi.scheduling.delivery.service.calling import call_unreached

LIST = "/api/admin/telephone-list"


def listed(desk: Desk, **query: Any) -> list[dict[str, Any]]:
    answer = desk.product.http.get(LIST, params={"open": 1, **query}, headers=desk.bearer)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


def tick(desk: Desk, call: dict[str, Any], **body: Any) -> httpx2.Response:
    return desk.product.http.post(f"{LIST}/{call['id']}/done", json={"result": "told", **body}, headers=desk.bearer)


def take_back(desk: Desk, call: dict[str, Any]) -> httpx2.Response:
    return desk.product.http.delete(f"{LIST}/{call['id']}/done", headers=desk.bearer)


def asked(desk: Desk, *ids: int, **more: Any) -> dict[str, Any]:
    """A thread that asks these members, whom neither LINE nor mail reaches."""
    desk.enrol(*ids)
    desk.group(7, *ids)
    return desk.create(title="臨時理事会", audience_ids=[7], **more)


class TestTheList:
    @pytest.mark.found("24.C9")
    @pytest.mark.row("5.B.22", "5.F.11")
    def test_has_everybody_whom_nothing_else_reaches_and_what_to_say(self, desk: Desk) -> None:
        made = asked(desk, 101, 102)
        first, second = listed(desk)
        assert (first["kind"], first["subject_id"], first["title"]) == ("thread", made["thread"]["id"], "臨時理事会")
        assert (first["member_id"], first["name"], first["phone"]) == (101, "会員 101", None)
        assert "LINEと連携していません" in first["why"]
        assert "ご都合をお聞きください" in first["text"]
        assert first["url"] == f"/threads/{made['thread']['id']}"
        assert (first["done_at"], first["result"]) == (None, None)
        assert second["name"] == "会員 102"
        assert listed(desk, kind="thread") == [first, second]
        assert listed(desk, kind="promoted") == []
        [kind] = [
            one for one in desk.product.http.get(LIST, headers=desk.bearer).json()["kinds"] if one["kind"] == "thread"
        ]
        assert kind == {"kind": "thread", "label": "日程調整", "open": 2}
        board = desk.get(path(made)).json()["people"]
        assert [one["call"]["id"] for one in board] == [first["id"], second["id"]]

    @pytest.mark.found("24.C9")
    def test_a_kind_with_a_character_that_no_database_takes_is_wrong_input(self, desk: Desk) -> None:
        answer = desk.product.http.get(LIST, params={"kind": "thread\x00"}, headers=desk.bearer)
        assert (answer.status_code, answer.json()["details"]) == (
            400,
            [{"field": "kind", "reason": "INVALID_FORMAT"}],
        )

    @pytest.mark.found("24.C9")
    @pytest.mark.row("5.B.24")
    def test_is_left_by_itself_when_the_person_answers(self, desk: Desk) -> None:
        made = asked(desk, 101, 102)
        keys = [one["invitee_key"] for one in made["candidates"]]
        body = {"invitee_key": keys[0], "status": "declined"}
        assert desk.post(path(made, "/answers"), body).status_code == 200
        assert [one["person_key"] for one in listed(desk)] == [keys[1]]
        assert desk.delete(path(made, f"/invitees/{keys[1]}")).status_code == 204
        assert listed(desk) == []
        assert [row["closed_why"] for row in desk.rows(TelephoneCall)] == ["answered", "removed"]

    @pytest.mark.found("24.C9")
    @pytest.mark.row("5.B.24")
    def test_shows_only_the_newest_news_about_a_thread(self, desk: Desk) -> None:
        made = asked(desk, 101, 102)
        assert desk.post(path(made, "/cancel")).status_code == 200
        calls = listed(desk)
        assert len(calls) == 2
        assert all("中止になりました" in one["text"] for one in calls)
        assert [row["closed_why"] for row in desk.rows(TelephoneCall)] == ["replaced", "replaced", None, None]

    @pytest.mark.found("24.C9")
    def test_forgets_what_is_too_late(self, desk: Desk, clock: ManualClock) -> None:
        asked(desk, 101)
        assert len(listed(desk)) == 1
        clock.advance(timedelta(days=5))
        assert listed(desk) == []

    @pytest.mark.found("24.C9")
    def test_gets_whose_mail_no_server_took(self, make_product: ProductMaker, box: Box, clock: ManualClock) -> None:
        desk = desk_at(make_product(smtp_url=box.smtp_url, mail_from="office@example.jp"), clock)
        made = desk.create(title="臨時理事会", invitees=[RAJ])
        assert desk.product.db.write_now(call_unreached) == 0
        refused = update(MailMessage).values(status="FAILED", last_error="550 no such user")
        desk.product.db.write_now(lambda tx: tx.execute(refused))
        assert [desk.product.db.write_now(call_unreached) for _ in range(2)] == [1, 0]
        [call] = listed(desk)
        assert (call["person_key"], call["why"]) == (made["candidates"][0]["invitee_key"], "メールを送れませんでした")


class TestTickingOff:
    @pytest.mark.found("24.C9")
    @pytest.mark.row("5.B.23", "5.F.11")
    def test_notes_who_called_and_when_and_the_first_one_counts(self, desk: Desk) -> None:
        made = asked(desk, 101)
        [call] = listed(desk)
        first, second = tick(desk, call, note="夜なら来られる"), tick(desk, call, result="unreachable")
        assert (first.status_code, second.status_code) == (200, 200)
        assert first.json() == second.json()
        assert (first.json()["result"], first.json()["note"]) == ("told", "夜なら来られる")
        assert first.json()["done_by"] == "admin:jimukyoku"
        assert listed(desk) == []
        [seen] = listed(desk, open=0)
        assert seen["done_at"] == first.json()["done_at"]
        [person] = desk.get(path(made)).json()["people"]
        assert person["call"]["result"] == "told"
        assert desk.actions(made["thread"]["id"]).count("TELEPHONE_DONE") == 1

    @pytest.mark.found("24.C9")
    @pytest.mark.row("5.B.23")
    def test_can_be_taken_back(self, desk: Desk) -> None:
        asked(desk, 101)
        [call] = listed(desk)
        tick(desk, call)
        back, again = take_back(desk, call), take_back(desk, call)
        assert (back.status_code, again.status_code) == (200, 200)
        assert back.json() == again.json()
        assert back.json()["done_at"] is None
        assert [one["id"] for one in listed(desk)] == [call["id"]]
        assert len(desk.rows(AuditLog, action="TELEPHONE_REOPEN")) == 1

    @pytest.mark.found("24.C9")
    def test_taken_back_after_newer_news_makes_no_second_call(self, desk: Desk) -> None:
        made = asked(desk, 101)
        [call] = listed(desk)
        tick(desk, call)
        assert desk.post(path(made, "/cancel")).status_code == 200
        assert take_back(desk, call).status_code == 200
        [left] = listed(desk)
        assert left["id"] != call["id"]

    @sqlite_only
    def test_is_refused_where_nothing_is_to_be_ticked_off(self, desk: Desk) -> None:
        asked(desk, 101)
        [call] = listed(desk)
        http = desk.product.http
        assert tick(desk, {"id": 999}).status_code == 404
        assert http.post(f"{LIST}/{call['id']}/done", json={"result": "told"}).status_code == 401
        for wrong in ({"result": "maybe"}, {"result": "told", "note": "あ" * 201}, {"result": "told", "x": 1}):
            assert tick(desk, call, **wrong).status_code == 400, wrong
        assert listed(desk) == [call]


@pytest.mark.found("24.C9")
@pytest.mark.row("5.0.8")
def test_a_person_who_is_erased_leaves_no_name_on_the_list(desk: Desk) -> None:
    asked(desk, 101)
    url = "/api/admin/people/member/101/erasure"
    plan = desk.product.http.get(url, headers=desk.bearer).json()
    assert "電話の一覧" in str(plan)
    body = {"reason": "ご本人の申し出", "expected_rows": sum(table["rows"] for table in plan["tables"])}
    answer = desk.product.http.post(url, json=body, headers=desk.bearer)
    assert answer.status_code == 200, answer.text
    [row] = desk.rows(TelephoneCall)
    assert "会員 101" not in str(row)
    assert listed(desk) == []
