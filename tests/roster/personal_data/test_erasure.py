"""Export and erasing of one person: over all contexts, with nothing of the person left but the audit trail."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import Update, insert, select, text, update

from tests.booking.office import audited, code, office
from tests.events.overview.events import event
from tests.factories.booking import make_staff
from tests.factories.people import kill_address, make_customer, make_friend
from tests.factories.product import ADMIN, Product
from tests.factories.threads import make_thread
from tests.factories.webhooks import event as line_event
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import enrol
from tsudoi.access.registration import ActiveContexts
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.contexts import CONTEXTS
from tsudoi.core import sessions
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.schema import all_models
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.event.models import EventTarget
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.mails.rules.drafts import MailDraft
from tsudoi.notifications.mails.service import enqueue
from tsudoi.roster.members.models import Member
from tsudoi.roster.people.models import PersonDecision
from tsudoi.scheduling.thread.models import ThreadAnswer, ThreadInvite, ThreadSelection

LINE, OTHER = user_id(1), user_id(2)
NAME, MAIL, SAID = "消去希子", "kieru@example.jp", "アレルギーがあります"
CANARIES = (NAME, MAIL, SAID, LINE)
PERSON = "/api/admin/people/member/101"
# What happened stays on record, and by whom: rows of these tables cannot be changed.
HISTORY = {"audit_logs", "person_decisions"}


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as found:
        yield found


def live_everywhere(product: Product) -> None:
    """A member with a LINE user, answers, an invitation to a thread, mails, a customer's link and a session."""
    db = product.db
    enrol(db, (101, NAME), line_user_id=LINE, email=MAIL.upper(), kana="きえるきこ")
    enrol(db, (102, "残留太郎"), line_user_id=OTHER, email="nokoru@example.jp")
    for who, name in ((LINE, NAME), (OTHER, "たろ")):
        make_friend(db, who, name)
        db.write_now(_session, who)
    db.write_now(_same_person, make_customer(db, LINE))
    product.post_webhook(line_event("message", who=LINE, message={"type": "text", "id": "1", "text": SAID}))
    made = event(db)
    thread = make_thread(db, 101)
    db.write_now(_answer, made)
    db.write_now(_invite, thread.id)
    db.write_now(_mail)
    kill_address(db, MAIL)


def _same_person(tx: Tx, customer_id: int) -> None:
    """The office has said that the customer and the member are one person."""
    pair = {"first_kind": "customer", "first_id": str(customer_id), "second_kind": "member", "second_id": "101"}
    tx.execute(insert(PersonDecision).values(**pair, verdict="same", decided_by="admin:x", decided_at=tx.now))


def _session(tx: Tx, who: str) -> None:
    name = NAME if who == LINE else "たろ"
    sessions.open_session(tx, sessions.LIFF, who, {"display_name": name}, timedelta(hours=1))


def _answer(tx: Tx, event_id: int) -> None:
    for member_id in (101, 102):
        known = select(EventTarget.member_id).where(
            EventTarget.event_id == event_id, EventTarget.member_id == member_id
        )
        if tx.scalar(known) is None:
            tx.execute(insert(EventTarget).values(event_id=event_id, member_id=member_id))
        row = {"event_id": event_id, "member_id": member_id, "status": "attend", "via": "liff", "responded_at": tx.now}
        tx.execute(insert(EventResponse).values(**row, extra_text=SAID if member_id == 101 else "なし"))


def _invite(tx: Tx, thread_id: str) -> None:
    invite = {"email": MAIL, "candidate_name": NAME, "member_id": 101, "candidate_reason": f"{NAME}さん"}
    tx.execute(update(ThreadInvite).where(ThreadInvite.thread_id == thread_id).values(**invite))
    key = tx.scalar(select(ThreadInvite.invitee_key).where(ThreadInvite.thread_id == thread_id))
    of_thread = {"thread_id": thread_id, "invitee_key": key, "comment": SAID}
    tx.execute(
        insert(ThreadAnswer).values(**of_thread, name=NAME, status="selected", slots=[], via="link", answered_at=tx.now)
    )
    tx.execute(
        update(ThreadSelection).where(ThreadSelection.thread_id == thread_id).values(comment=SAID, status="selected")
    )


def _mail(tx: Tx) -> None:
    words: dict[str, Any] = {"to_address": MAIL, "subject": f"{NAME}様", "text": SAID, "html": f"<p>{SAID}</p>"}
    enqueue(tx, MailDraft(purpose="TEST", subject_kind="test", subject_id="1", host="example.jp", **words))
    tx.execute(update(MailMessage).values(status="DONE"))


def places_of(tx: ReadTx, *canaries: str) -> set[str]:
    """Where a text still stands, in any column of any table."""
    found = set()
    for table in all_models().sorted_tables:
        if table.name in HISTORY:
            continue
        for row in tx.execute(text(f'SELECT * FROM "{table.name}"')).mappings():
            for column, value in row.items():
                found |= {f"{table.name}.{column}: {one}" for one in canaries if one.lower() in str(value).lower()}
    return found


def plan(http: httpx2.Client, address: str = PERSON) -> dict[str, Any]:
    answer = http.get(f"{address}/erasure")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def erase(http: httpx2.Client, address: str = PERSON) -> httpx2.Response:
    rows = sum(table["rows"] for table in plan(http, address)["tables"])
    return http.post(f"{address}/erasure", json={"reason": "本人の申し出", "expected_rows": rows})


class TestErasing:
    def test_leaves_nothing_of_the_person_anywhere(self, product: Product, http: httpx2.Client) -> None:
        db = product.db
        live_everywhere(product)
        assert len(db.read_now(places_of, *CANARIES)) > 12, "the control: the texts are found before"
        before = db.read_now(_counts)
        planned = plan(http)
        assert (planned["obstacles"], planned["shared_line"]) == ([], False)
        assert db.read_now(places_of, NAME), "a plan changes nothing"
        done = erase(http)
        assert done.status_code == 200, done.text
        assert done.json()["tables"] == planned["tables"]
        assert db.read_now(places_of, *CANARIES) == set()
        assert db.read_now(places_of, "残留太郎", OTHER, "nokoru@example.jp")
        # Counts stay: the answer, the invitation, the member's row.
        assert db.read_now(_counts) == before
        entries = audited(product.db, "PERSON_ERASE")
        assert {entry["subject"] for entry in entries} == {"member:101", "customer:1"}
        assert {(entry["actor"], entry["reason"]) for entry in entries} == {(f"admin:{ADMIN}", "本人の申し出")}

    @sqlite_only
    def test_again_finds_the_tombstone(self, product: Product, http: httpx2.Client) -> None:
        live_everywhere(product)
        erase(http).raise_for_status()
        found = http.get(PERSON).json()
        assert (found["name"], [record["state"] for record in found["records"]]) == ("（消去済み）", ["withdrawn"])
        assert erase(http).status_code == 200

    @sqlite_only
    def test_needs_the_plan_that_was_seen_and_a_reason(self, product: Product, http: httpx2.Client) -> None:
        live_everywhere(product)
        stale = http.post(f"{PERSON}/erasure", json={"reason": "申し出", "expected_rows": 1})
        assert code(stale) == (409, "CHANGED_MEANWHILE")
        for wrong in ({"reason": " ", "expected_rows": 1}, {"expected_rows": 1}, {"reason": "x"}):
            assert http.post(f"{PERSON}/erasure", json=wrong).status_code == 400, wrong
        assert product.db.read_now(places_of, NAME)

    @sqlite_only
    def test_waits_for_messages_that_are_being_sent(self, product: Product, http: httpx2.Client) -> None:
        live_everywhere(product)
        product.db.write_now(lambda tx: tx.execute(update(MailMessage).values(status="PENDING")))
        [obstacle] = plan(http)["obstacles"]
        assert obstacle.startswith("メール: 送信を待っています")
        assert code(erase(http)) == (409, "CANNOT_ERASE")
        assert product.db.read_now(places_of, NAME)

    @sqlite_only
    def test_of_somebody_who_is_not_there(self, http: httpx2.Client) -> None:
        for way in ("export", "erasure"):
            assert code(http.get(f"{PERSON}/{way}")) == (404, "NO_SUCH_PERSON")
        body = {"reason": "x", "expected_rows": 0}
        assert code(http.post(f"{PERSON}/erasure", json=body)) == (404, "NO_SUCH_PERSON")


class TestStaff:
    @sqlite_only
    def test_who_still_work_here_are_not_erased(self, product: Product, http: httpx2.Client) -> None:
        person = make_staff(product.db, family_name=NAME, email=MAIL)
        address = f"/api/admin/people/staff/{person.staff_uid}"
        assert "在職中" in plan(http, address)["obstacles"][0]
        product.db.write_now(lambda tx: tx.execute(update(StaffAccount).values(status="left")))
        erase(http, address).raise_for_status()
        assert product.db.read_now(places_of, NAME, MAIL) == set()


class TestSharedTelephone:
    @sqlite_only
    def test_leaves_the_line_user_of_somebody_else(self, product: Product, http: httpx2.Client) -> None:
        """A member and a staff person with one LINE user, of whom nobody said that they are one person."""
        enrol(product.db, (101, NAME), line_user_id=LINE)
        make_friend(product.db, LINE, "家族の電話")
        make_staff(product.db, line_user_id=LINE)
        assert plan(http)["shared_line"] is True
        erase(http).raise_for_status()
        assert {place.partition(":")[0] for place in product.db.read_now(places_of, LINE)} == {
            "line_friends.user_id",
            "staffs.line_user_id",
        }

    @sqlite_only
    def test_a_linked_line_user_is_erased_with_the_person(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, NAME), line_user_id=LINE)
        make_friend(product.db, LINE, NAME)
        address = f"/api/admin/people/line/{LINE}"
        assert "連携しています" in plan(http, address)["obstacles"][0]
        assert code(erase(http, address)) == (409, "CANNOT_ERASE")


class TestExport:
    @sqlite_only
    def test_has_everything_and_is_audited(self, product: Product, http: httpx2.Client) -> None:
        live_everywhere(product)
        got = http.get(f"{PERSON}/export")
        assert got.status_code == 200, got.text
        assert got.headers["content-disposition"] == 'attachment; filename="person-member-101.json"'
        assert got.headers["cache-control"] == "no-store"
        tables = {table["table"]: table["rows"] for table in got.json()["tables"]}
        assert tables["members"][0]["name"] == NAME
        assert tables["event_responses"][0]["extra_text"] == SAID
        assert {"line_friends", "thread_invites", "thread_answers", "mail_messages", "customer_links"} <= tables.keys()
        assert "残留太郎" not in got.text
        assert all(secret not in got.text for secret in ("id_hash", '"token"', "retry_key"))
        [entry] = audited(product.db, "PERSON_EXPORT")
        assert (entry["actor"], entry["subject"]) == (f"admin:{ADMIN}", "member:101")


class TestAnswers:
    def test_of_others_still_cannot_be_changed(self, product: Product) -> None:
        """Only the text of an erased member may go, and nothing else of the answer."""
        live_everywhere(product)
        gone = update(EventResponse).values(extra_text=None)
        with pytest.raises(Exception, match="append-only"):
            product.db.write_now(lambda tx: tx.execute(gone))
        product.db.write_now(lambda tx: tx.execute(update(Member).where(Member.id == 101).values(erased_at=tx.now)))
        own = EventResponse.member_id == 101
        for wrong in ({"status": "absent"}, {"extra_text": "別の文"}, {"status": "absent", "extra_text": None}):
            change = update(EventResponse).where(own).values(**wrong)
            with pytest.raises(Exception, match="append-only"):
                product.db.write_now(_run, change)
        product.db.write_now(lambda tx: tx.execute(gone.where(own)))


def _run(tx: Tx, statement: Update) -> None:
    tx.execute(statement)


def _counts(tx: ReadTx) -> list[int]:
    models = (Member, EventTarget, EventResponse, ThreadInvite, ThreadAnswer, ThreadSelection, MailMessage)
    return [len(tx.execute(select(model)).all()) for model in models]


# Columns that name a person. Tables with one of them say what erasing does, or stand in the list of exceptions.
PERSONAL = {
    *("member_id", "line_user_id", "staff_uid", "user_id", "email", "to_address", "candidate_name", "external_user_id"),
    *("display_name", "line_display_name", "family_name", "address"),
}
EXCEPTIONS = {
    "admin_users": "an administrator's link to the own membership; the account goes by `tsudoi admin disable`",
    "staff_devices": "deleted by the masking of the account",
}


def test_every_table_that_names_people_says_what_erasing_does() -> None:
    declared = {table.name for table in ActiveContexts(CONTEXTS).person_tables}
    named = {table.name for table in all_models().sorted_tables if PERSONAL & {column.name for column in table.columns}}
    assert named - declared - EXCEPTIONS.keys() == set()
    assert all(table.title for table in ActiveContexts(CONTEXTS).person_tables)
