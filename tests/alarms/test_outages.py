"""An outside system that is out for everybody: one ticket, one alarm on another channel, one all-clear."""

from collections.abc import Iterator
from dataclasses import fields
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import event

from tests.alarms import senders
from tests.booking.office import office
from tests.factories.forks import FORKS
from tests.factories.product import Box, Product, runtime_for
from tests.notifications.mails.post import draft
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import eventually
from tsudoi.alarms.escalation.models import EscalationAttempt, EscalationRule
from tsudoi.alarms.outages.jobs import OutageWatch
from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.commands import notifications
from tsudoi.core.clock import ManualClock
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.call_reports import CallReport, CallReports, report_of_silence
from tsudoi.gateway.clients.gemini import GeminiClient
from tsudoi.gateway.clients.language_models import ModelConfig, ModelQuestion
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.stripe import StripeClient, StripeConfig
from tsudoi.gateway.http import HttpGateway
from tsudoi.notifications.mails import jobs as mails
from tsudoi.notifications.mails import service as mail_service
from tsudoi.sandbox import smtp
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.fault_places import FaultKind

ROOM = "4242"
# The sandbox of the tests has the credentials that it comes with.
SANDBOX = {one.name: one.default for one in fields(SandboxConfig)}
RETRY_KEY = "0b7c2f6e-7a55-4c0b-9f0e-1f6a3c1d2e3f"
USER = "U" + "a" * 32


def alarm_settings(box: Box, **more: Any) -> dict[str, Any]:
    ours = {
        "chatwork_api_base": f"{box.url}/chatwork/v2",
        "chatwork_api_token": SANDBOX["chatwork_api_token"],
        "sms_api_base": f"{box.url}/twilio",
        "sms_account": SANDBOX["sms_account"],
        "sms_token": SANDBOX["sms_token"],
        "sms_from": "+815012345678",
        "smtp_url": box.smtp_url,
        "mail_from": "集い <office@example.jp>",
        "alarm_chatwork_room_id": ROOM,
        "alarm_email_to": "night@example.jp",
        "alarm_sms_to": "090-1234-5678",
        "gemini_api_base": box.url,
        "gemini_api_key": SANDBOX["gemini_api_key"],
    }
    return {**ours, **more}


@pytest.fixture
def house(make_product: ProductMaker, box: Box) -> Product:
    """Without shops: the mail of a booking breaks without them too."""
    return make_product(**alarm_settings(box, features=("booking", "events"), shop_secrets_keys=None))


@pytest.fixture
def http(house: Product) -> Iterator[httpx2.Client]:
    with office(house) as client:
        yield client


def told(box: Box) -> list[str]:
    found = box.http.get(f"/_sandbox/chatwork/rooms/{ROOM}")
    return [one["body"] for one in found.json()["messages"]] if found.status_code == 200 else []


def texts(box: Box) -> list[str]:
    return [one["body"] for one in box.http.get("/_sandbox/sms").json()["messages"]]


def alarms(house: Product, kind: str = "alarm") -> list[tuple[str, str]]:
    return [(row["channel"], row["outcome"]) for row in house.rows(EscalationAttempt) if row["kind"] == kind]


def push(runtime: Runtime, times: int = 1) -> None:
    for _ in range(times):
        runtime.part(LineClient).push(USER, [{"type": "text", "text": "こんにちは"}], RETRY_KEY)


def mail(house: Product, *numbers: int) -> None:
    """The worker sends a mail to each of these people."""
    for number in numbers:
        house.db.write_now(mail_service.enqueue, draft(number))
    while mails.drain(house.runtime):
        pass


def metric(house: Product, cause: str) -> float:
    name = f'tsudoi_alarms_open{{cause="{cause}"}} '
    (line,) = (one for one in house.http.get("/metrics").text.splitlines() if one.startswith(name))
    return float(line.removeprefix(name))


@pytest.mark.found("24.D4")
@pytest.mark.quick("happy_path")
def test_a_mail_server_that_refuses_everything(
    house: Product, http: httpx2.Client, box: Box, clock: ManualClock
) -> None:
    box.breaks("smtp_421", "smtp")
    mail(house, 1, 2)
    assert (house.rows(Ticket), metric(house, "OUTAGE_MAIL")) == ([], 0), "two are no outage yet"
    since = clock.now()
    mail(house, 3, 4, 5)
    eventually(lambda: alarms(house) == [("chatwork", "sent"), ("sms", "sent")])
    (ticket,) = house.rows(Ticket)
    assert (ticket["rule_code"], ticket["status"], ticket["shop_id"]) == ("OUTAGE_MAIL", "open", None)
    (message,) = told(box)
    link = f"{house.settings.public_base_url}/admin/tickets/{ticket['id']}"
    assert message.startswith("[info][title]【重大】メールを送れません[/title]")
    assert link in message
    assert "SMTP_URL" in message
    (text,) = texts(box)
    assert text.endswith(link)
    assert box.mails() == [], "never by the channel that is out"
    home = http.get("/api/admin/home").json()
    shown = {"cause": "OUTAGE_MAIL", "title": "メールを送れません", "ticket_id": ticket["id"]}
    assert (home["alarms"], home["tickets_open"]) == ([{**shown, "since": "2025-08-16T12:00:00+09:00"}], 1)
    assert metric(house, "OUTAGE_MAIL") == 1
    # Its answer is shared for a moment.
    eventually(lambda: house.http.get("/readyz").json()["work"]["alarms"].startswith("OUTAGE_MAIL since "))
    page = http.get(f"/api/admin/tickets/{ticket['id']}").json()
    assert "SMTP_URL" in page["meaning"]["advice"]
    assert {call["target"] for call in page["calls"]} == {"smtp"}, "the calls that failed, though no request made them"

    box.mends()
    clock.advance(timedelta(minutes=30))
    mail(house, 6)
    eventually(lambda: alarms(house, "all_clear") == [("chatwork", "sent"), ("sms", "sent")])
    assert told(box)[1:] == [one for one in told(box) if "メールをまた送れるようになりました。" in one]
    assert len(texts(box)) == 2
    (closed,) = house.rows(Ticket)
    assert (closed["status"], closed["closed_by"], closed["opened_at_utc"]) == ("closed", "system", since)
    assert (http.get("/api/admin/home").json()["alarms"], metric(house, "OUTAGE_MAIL")) == ([], 0)
    eventually(lambda: house.http.get("/readyz").json()["work"]["alarms"] == "ok")


@pytest.mark.found("24.D4")
@pytest.mark.row("8.D.3")
def test_one_alarm_an_hour_however_often_it_breaks_and_mends(house: Product, box: Box, clock: ManualClock) -> None:
    for _ in range(3):
        box.breaks("error_500_before", "push")
        push(house.runtime, 4)
        eventually(lambda: len(told(box)) >= 1)
        box.mends()
        clock.advance(timedelta(minutes=1))
        push(house.runtime, 2)
        eventually(lambda: len(alarms(house, "all_clear")) == 3)
    assert [row["rule_code"] for row in house.rows(Ticket)] == ["OUTAGE_LINE"], "the same ticket is opened again"
    assert ["復旧" in one for one in told(box)] == [False, True]
    clock.advance(timedelta(minutes=57))
    box.breaks("error_500_before", "push")
    push(house.runtime, 4)
    eventually(lambda: len(told(box)) == 3)
    clock.advance(timedelta(minutes=60))
    push(house.runtime)
    eventually(lambda: len(told(box)) == 4)


@pytest.mark.found("24.D4")
def test_a_single_success_is_no_all_clear(house: Product, box: Box) -> None:
    box.breaks("error_500_before", "push", times=3)
    push(house.runtime, 4)
    eventually(lambda: len(told(box)) == 1)
    box.breaks("error_500_before", "push", times=1)
    push(house.runtime, 2)
    assert [row["status"] for row in house.rows(Ticket)] == ["open"]
    push(house.runtime)
    assert [row["status"] for row in house.rows(Ticket)] == ["closed"]


@pytest.mark.found("24.D4")
def test_failures_with_a_success_in_between_are_no_outage(house: Product, box: Box) -> None:
    for _ in range(3):
        box.breaks("error_500_before", "push", times=2)
        push(house.runtime, 3)
    assert house.rows(Ticket) == []


@pytest.mark.found("24.D4")
@pytest.mark.quick("refusal")
@sqlite_only
def test_a_refusal_of_one_is_no_outage(house: Product, box: Box) -> None:
    """An unknown address, a user who cannot be reached, a limit that is used up, a request that Stripe refuses."""
    box.breaks("smtp_550", "smtp")
    mail(house, *range(5))
    box.breaks("smtp_450", "smtp")
    mail(house, *range(5, 10))
    for kind in ("quota_exhausted", "rate_limited"):
        box.breaks(kind, "push")
        push(house.runtime, 5)
    box.breaks("error_status", "push", status=400)
    push(house.runtime, 5)
    box.mends()
    stripe = StripeClient(StripeConfig.of(house.settings), house.runtime.part(HttpGateway))
    for number in range(5):
        stripe.create_session("mode=payment", f"key-{number}")
    assert (house.rows(Ticket), house.rows(OutsideState)) == ([], [])


@pytest.mark.found("24.D4")
@sqlite_only
def test_a_mail_server_that_relays_for_nobody(house: Product, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """It refuses each recipient, but the reason is not the recipient."""
    monkeypatch.setitem(smtp._REFUSED_RECIPIENT, FaultKind.SMTP_550, "554 5.7.1 Relay access denied")
    box.breaks("smtp_550", "smtp")
    mail(house, 1, 2, 3)
    assert [row["rule_code"] for row in house.rows(Ticket)] == ["OUTAGE_MAIL"]


@pytest.mark.found("24.D4")
@sqlite_only
def test_refused_log_ins_and_dead_servers_of_each_system(house: Product, box: Box) -> None:
    gateway = house.runtime.part(HttpGateway)
    question = ModelQuestion("提案してください", {"title": "会議"}, {"type": "object"}, "proposal", 100)
    gemini = GeminiClient(ModelConfig(box.url, "wrong-key", "gemini-flash-lite-latest"), gateway)
    for _ in range(3):
        StripeClient(StripeConfig("sk_test_wrong", box.url), gateway).session("cs_test_1")
        gemini.answer(question, timedelta(seconds=5))
    box.breaks("error_status", "line", status=401)
    push(house.runtime, 3)
    found = {row["rule_code"]: row["severity"] for row in house.rows(Ticket)}
    assert found == {"OUTAGE_STRIPE": "critical", "OUTAGE_MODELS": "warn", "OUTAGE_LINE": "critical"}
    eventually(lambda: len(told(box)) == 3)


@pytest.mark.found("24.D4")
@sqlite_only
def test_line_is_told_by_mail_too_but_not_while_mail_is_out(make_product: ProductMaker, box: Box) -> None:
    house = make_product(**alarm_settings(box, features=("booking",), alarm_sms_to=None))
    box.breaks("error_500_before", "push")
    push(house.runtime, 3)
    eventually(lambda: len(box.mails("night@example.jp")) == len(told(box)) == 1)
    assert box.calls("/v2/bot/message/push"), "LINE was asked by us alone"
    box.breaks("smtp_421", "smtp")
    mail(house, 1, 2, 3)
    eventually(lambda: len(told(box)) == 2)
    rules = [{"kind": "error_500_before", "endpoint": "stripe"}, {"kind": "smtp_421", "endpoint": "smtp"}]
    box.http.put("/_sandbox/faults", json={"rules": rules}).raise_for_status()
    stripe = StripeClient(StripeConfig.of(house.settings), house.runtime.part(HttpGateway))
    for _ in range(3):
        stripe.session("cs_test_1")
    eventually(lambda: len(told(box)) == 3)
    of_stripe = max(row["id"] for row in house.rows(Ticket))
    eventually(lambda: [one for one in house.rows(EscalationAttempt) if one["ticket_id"] == of_stripe])
    assert [one["channel"] for one in house.rows(EscalationAttempt) if one["ticket_id"] == of_stripe] == ["chatwork"]


@pytest.mark.found("24.D4")
@sqlite_only
def test_the_rule_of_the_office_comes_first(house: Product, http: httpx2.Client, box: Box) -> None:
    rule = {"severity": "warn", "channels": ["email"], "email_to": "chief@example.jp", "throttle_minutes": 30}
    for cause in ("OUTAGE_LINE", "OUTAGE_MAIL"):
        http.put(f"/api/admin/escalation-rules/{cause}", json=rule).raise_for_status()
    box.breaks("error_500_before", "push")
    push(house.runtime, 3)
    eventually(lambda: len(box.mails("chief@example.jp")) == 1)
    assert (told(box), texts(box)) == ([], [])
    box.breaks("smtp_421", "smtp")
    mail(house, 1, 2, 3)
    # The only channel of its rule is the one that is out.
    eventually(lambda: len(told(box)) == 1)
    assert len(house.rows(EscalationRule)) == 2


@pytest.mark.found("24.D4")
def test_nothing_is_written_while_everything_works(house: Product, box: Box) -> None:
    push(house.runtime)  # The first call makes the connections.
    written: list[str] = []
    engine = house.db.read_now(lambda tx: tx.connection.engine)
    watch = lambda *found: written.append(found[2])  # noqa: E731 (the listener of a test)
    event.listen(engine, "before_cursor_execute", watch)
    push(house.runtime, 10)
    mail(house)
    event.remove(engine, "before_cursor_execute", watch)
    assert not [one for one in written if "outside_states" in one and not one.lstrip().startswith("SELECT")]
    assert (house.rows(OutsideState), house.rows(Ticket)) == ([], [])


@pytest.mark.found("24.D4")
def test_processes_count_together_and_one_of_them_tells(
    house: Product, box: Box, database_url: str, clock: ManualClock
) -> None:
    box.breaks("error_500_before", "push")
    with runtime_for(house.settings, house.db) as other:
        push(house.runtime)
        push(other)
        assert house.rows(Ticket) == []
        push(house.runtime)
        assert len(house.rows(Ticket)) == 1, "three in a row, of two processes"
        box.mends()
        push(other, 2)
        eventually(lambda: ["復旧" in one for one in told(box)] == [False, True])


@pytest.mark.found("24.D4")
@pytest.mark.row("8.D.3")
def test_many_processes_at_once_ring_once(house: Product, box: Box, database_url: str, clock: ManualClock) -> None:
    box.breaks("error_500_before", "push")
    where = (database_url, house.settings.model_dump(), clock.now().isoformat(), 6)
    begun = [FORKS.Process(target=senders.push_in_vain, args=where, daemon=True) for _ in range(3)]
    for process in begun:
        process.start()
    for process in begun:
        process.join(120)
        process.kill()
    assert [process.exitcode for process in begun] == [0] * 3
    assert [row["rule_code"] for row in house.rows(Ticket)] == ["OUTAGE_LINE"]
    assert (len(told(box)), len(texts(box)), len(box.mails())) == (1, 1, 1)
    (state,) = (row for row in house.rows(OutsideState) if row["system"] == "line")
    assert state["failures_in_a_row"] >= 3


@pytest.mark.found("24.D4")
@sqlite_only
def test_the_command_that_sends_notices_counts_too(
    house: Product, box: Box, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is over before anybody could wait for it, and so it waits for its alarm."""
    monkeypatch.setattr("tsudoi.core.log.configure_logging", lambda _level: None)
    box.breaks("error_500_before", "push")
    with notifications._runtime_of(house.settings.model_copy(update={"database_url": database_url})) as runtime:
        push(runtime, 3)
    assert [row["rule_code"] for row in house.rows(Ticket)] == ["OUTAGE_LINE"]
    assert len(told(box)) == 1


@pytest.mark.found("24.D4")
@sqlite_only
def test_a_restored_copy_that_sends_nothing_has_no_outage(house: Product) -> None:
    silent = CallReports()
    silent.listener = lambda report: pytest.fail(str(report))
    for target in ("line", "stripe", "gemini", "stores", "sheets"):
        silent.tell(report_of_silence(target, "SEND_NOTHING", timedelta(seconds=10)))
    assert report_of_silence("line", "ReadTimeout", timedelta(seconds=0.8)) is None, "we broke off after a moment"
    assert report_of_silence("line", "ReadTimeout", timedelta(seconds=8)) == CallReport("line", "no_answer")


@pytest.mark.found("24.D4")
@sqlite_only
def test_a_ticket_that_a_person_closed_is_followed_by_a_new_one(
    house: Product, http: httpx2.Client, box: Box, clock: ManualClock
) -> None:
    box.breaks("error_500_before", "push")
    push(house.runtime, 3)
    (first,) = house.rows(Ticket)
    http.post(f"/api/admin/tickets/{first['id']}/close", json={"note": "見ました"}).raise_for_status()
    clock.advance(timedelta(minutes=1))
    push(house.runtime)
    assert [row["status"] for row in house.rows(Ticket)] == ["closed", "open"]
    assert house.rows(Ticket)[0]["closed_by"] == "admin:jimukyoku"


@pytest.mark.found("24.D4")
@sqlite_only
def test_an_alarm_that_cannot_be_sent_raises_no_other(house: Product, box: Box) -> None:
    rules = [{"kind": "error_500_before", "endpoint": one} for one in ("push", "chatwork", "sms")]
    box.http.put("/_sandbox/faults", json={"rules": [*rules, {"kind": "smtp_421", "endpoint": "smtp"}]})
    push(house.runtime, 3)
    eventually(lambda: len(alarms(house)) == 3)
    assert [row["rule_code"] for row in house.rows(Ticket)] == ["OUTAGE_LINE"]
    assert house.runtime.part(OutageWatch) is not None
