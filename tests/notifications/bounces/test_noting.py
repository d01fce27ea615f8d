"""Mails that came back: the mail is marked, and its address gets no more mails."""

from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import event, select

from tests.notifications.mails.post import PostOffice, draft
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.bounces.rules import DeliveryReport, UndeliveredMail, read_report
from tsudoi.notifications.bounces.service import note_if_ours, note_report
from tsudoi.notifications.mails.models import MailBounce
from tsudoi.notifications.mails.queries import dead_addresses
from tsudoi.notifications.mails.service import forgive


def returned(post: PostOffice, to: str, status: str = "5.1.1") -> int:
    """The sandbox's report about the newest mail to this address is noted."""
    mail = post.box.mails(to)[-1]
    raw = (
        post.box.http.get(f"/_sandbox/mails/{mail['id']}/bounce", params={"status": status}).raise_for_status().content
    )
    report = read_report(raw)
    assert report is not None
    return post.db.write_now(note_report, report)


def bounces(post: PostOffice) -> list[dict[str, Any]]:
    return [dict(row) for row in post.db.read_now(lambda tx: tx.execute(select(MailBounce.__table__)).mappings().all())]


def dead(post: PostOffice, *addresses: str) -> set[str]:
    return post.db.read_now(dead_addresses, addresses)


class TestNoteReport:
    def test_an_address_that_does_not_exist_is_dead_at_once(self, post: PostOffice) -> None:
        post.enqueue(draft(1, to_address="Staff1@example.jp"), draft(2))
        post.drain()
        assert returned(post, "staff1@example.jp") == 1
        assert [row["status"] for row in post.rows()] == ["FAILED", "DONE"]
        assert post.rows()[0]["last_error"] == "550 5.1.1 returned"
        assert dead(post, "Staff1@example.jp", "staff2@example.jp") == {"staff1@example.jp"}
        assert returned(post, "staff1@example.jp") == 0
        assert len(bounces(post)) == 1

    def test_four_failures_that_may_pass_are_enough(self, post: PostOffice) -> None:
        for number in range(1, 5):
            assert dead(post, "taro@example.jp") == set()
            post.enqueue(draft(number, to_address="taro@example.jp"))
            post.drain()
            assert returned(post, "taro@example.jp", "4.2.2") == 1
            assert returned(post, "taro@example.jp", "4.2.2") == 0, "the same report again"
        assert dead(post, "taro@example.jp") == {"taro@example.jp"}
        assert bounces(post)[0]["soft_count"] == 4
        assert post.db.write_now(forgive, "Taro@example.jp")
        assert dead(post, "taro@example.jp") == set()
        assert not post.db.write_now(forgive, "taro@example.jp")

    def test_a_forged_report_changes_nothing(self, post: PostOffice) -> None:
        post.enqueue(draft(1))
        post.drain()
        failed = (UndeliveredMail("staff1@example.jp", "5.1.1"),)
        forged = (
            DeliveryReport((), failed),
            DeliveryReport(("<guessed@tsudoi.example.jp>",), failed),
            DeliveryReport((post.row()["message_id"],), (UndeliveredMail("victim@example.jp", "5.1.1"),)),
        )
        for report in forged:
            assert post.db.write_now(note_report, report) == 0
        assert bounces(post) == []
        assert post.row()["status"] == "DONE"

    def test_a_refusal_in_the_conversation_is_noted_the_same_way(self, post: PostOffice) -> None:
        post.box.breaks("smtp_550", "smtp")
        post.enqueue(draft(1))
        post.drain()
        assert post.row()["status"] == "FAILED"
        assert dead(post, "staff1@example.jp") == {"staff1@example.jp"}

    @pytest.mark.found("24.E2")
    def test_a_report_that_names_thousands_writes_only_what_is_ours(self, post: PostOffice) -> None:
        post.enqueue(draft(1))
        post.drain()
        ours = post.row()["message_id"]
        ids = (ours, *(f"<{number}@tsudoi.example.jp>" for number in range(30_000)))
        failed = tuple(UndeliveredMail(f"victim{number}@example.jp", "5.1.1") for number in range(3_000))
        statements: list[str] = []

        def noted(report: DeliveryReport) -> int:
            def verb(tx: Tx) -> int:
                def see(_connection: Any, _cursor: Any, sql: str, *_rest: Any) -> None:
                    statements.append(sql.split(maxsplit=1)[0])

                event.listen(tx.connection, "before_cursor_execute", see)
                try:
                    return note_report(tx, report)
                finally:
                    event.remove(tx.connection, "before_cursor_execute", see)

            return post.db.write_now(verb)

        assert noted(DeliveryReport(ids, failed)) == 0
        assert statements == ["SELECT"]
        statements.clear()
        assert noted(DeliveryReport(ids, (UndeliveredMail("staff1@example.jp", "5.1.1"), *failed))) == 1
        assert statements == ["SELECT", "UPDATE", "INSERT"]
        assert [row["address"] for row in bounces(post)] == ["staff1@example.jp"]

    @pytest.mark.found("24.E2")
    def test_a_report_about_mails_of_others_is_no_write_at_all(self, post: PostOffice) -> None:
        foreign = DeliveryReport(("<a@b.example>",), (UndeliveredMail("victim@example.jp", "5.1.1"),))
        with patch.object(type(post.db), "write_now", side_effect=AssertionError("this writes")):
            assert note_if_ours(post.db, foreign) == 0
