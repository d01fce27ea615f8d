"""Outside systems that hang, one alone and all at once: each call ends, the others go on, and so does every page."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import timedelta
from math import ceil
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pydantic import SecretStr
from sqlalchemy import select

from tests.attacks.hanging_desk import TEXT, Desk
from tests.conftest import NOON
from tests.factories.chain import ROOM
from tests.factories.customers import SHOP_KEYS
from tests.factories.product import Box, settings_for
from tests.factories.taps import HANGING, HTTP, SMTP, Manner, Tap, taps_for
from tests.factories.webhooks import user_id
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import eventually
from tests.worker.test_worker import working
from tsudoi import worker
from tsudoi.access.health import OLDEST_HEARTBEAT
from tsudoi.booking.checkout.jobs import reconciling, tasks
from tsudoi.booking.coverage_reminders import jobs as coverage
from tsudoi.booking.coverage_reminders.service import sending as coverage_sending
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.settings import Settings
from tsudoi.events.broadcast import jobs as broadcasts
from tsudoi.gateway.api_comm.alarm_channels import AlarmChannels
from tsudoi.gateway.api_comm.alarm_texts import AlarmText
from tsudoi.gateway.api_comm.policies import CallLimits
from tsudoi.gateway.api_comm.shop_data import AlarmRule
from tsudoi.gateway.clients import language_models
from tsudoi.gateway.clients import line as line_module
from tsudoi.gateway.clients import stripe as stripe_module
from tsudoi.gateway.clients.chatwork import ChatworkClient
from tsudoi.gateway.clients.gemini import GeminiClient
from tsudoi.gateway.clients.karaden import sms_provider_of
from tsudoi.gateway.clients.language_models import ModelFailure, ModelQuestion
from tsudoi.gateway.clients.line import LineClient, LineConfig
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import LineUnreachable, Unknown
from tsudoi.gateway.clients.mail import MailClient, MailConfig, OutgoingMail
from tsudoi.gateway.clients.mail_outcomes import MailUnknown
from tsudoi.gateway.clients.openai import OpenAiClient
from tsudoi.gateway.clients.outside_answers import OutsideAnswer
from tsudoi.gateway.clients.stores import StoresClient
from tsudoi.gateway.clients.stripe import StripeClient, StripeConfig, StripePolicies
from tsudoi.gateway.clients.stripe_outcomes import StripeUnknown
from tsudoi.gateway.http import CallPolicy, HttpGateway
from tsudoi.gateway.models import ApiCallLog
from tsudoi.line.inbox import jobs as inbox
from tsudoi.notifications.mails import jobs as mail_jobs
from tsudoi.scheduling.delivery import jobs as messages
from tsudoi.scheduling.delivery.service import sending as message_sending
from tsudoi.shops.links.service import sending as link_sending

SYSTEMS = ("line", "stripe", "stores", "chatwork", "sms", "openai", "gemini", "smtp")
# How many of twenty calls to each system get a connection; the others wait for one.
CONNECTIONS = dict(zip(SYSTEMS, (20, 12, 16, 16, 16, 14, 4, 20), strict=True))
QUESTION = ModelQuestion("You choose.", {"title": "総会"}, {"type": "object"}, "choice", 100)
MAIL = OutgoingMail("taro@example.jp", "<1@tsudoi.example.jp>", b"Subject: x\r\n\r\nhello\r\n")
# What hangs here would hang for minutes. On a busy machine a call may end seconds after its deadline.
SOON, AT_LAST = timedelta(seconds=1), 30.0
PATIENT, PATIENCE_OF_OTHERS = timedelta(seconds=120), timedelta(seconds=10)


@pytest.fixture
def taps(box: Box) -> Iterator[dict[str, Tap]]:
    port, smtp_port = (int(url.rstrip("/").rpartition(":")[2]) for url in (box.url, box.smtp_url))
    with taps_for({name: (smtp_port, SMTP) if name == "smtp" else (port, HTTP) for name in SYSTEMS}) as made:
        yield made


def addresses(taps: dict[str, Tap]) -> dict[str, Any]:
    """The settings of a product whose outside systems are all behind taps."""
    return {
        "box_url": taps["line"].url,
        "stripe_api_base": taps["stripe"].url,
        "stores_api_base": f"{taps['stores'].url}/reserve/202101",
        "chatwork_api_base": f"{taps['chatwork'].url}/chatwork/v2",
        "chatwork_api_token": "chatwork-token-of-the-sandbox-0000",
        "chatwork_room_id": ROOM,
        "sms_api_base": f"{taps['sms'].url}/twilio",
        "sms_account": "ACcafe0000cafe0000cafe0000cafe0000",
        "sms_token": "sms-token-of-the-sandbox-0000",
        "sms_from": "+815012345678",
        "openai_api_base": f"{taps['openai'].url}/openai/v1",
        "openai_api_key": "openai-key-of-the-sandbox-0000",
        "gemini_api_base": taps["gemini"].url,
        "gemini_api_key": "gemini-key-of-the-sandbox-0000",
        "smtp_url": f"smtp://127.0.0.1:{taps['smtp'].port}",
        "mail_from": "事務局 <office@example.jp>",
        "shop_secrets_keys": SHOP_KEYS,
    }


def within(policy: CallPolicy, patience: timedelta) -> CallPolicy:
    return replace(policy, timeout=patience, deadline=patience, longest_attempt=None)


@dataclass(frozen=True)
class Outside:
    """Every client with the policies of the product, except for the patience."""

    settings: Settings
    gateway: HttpGateway
    patience: timedelta

    @property
    def line(self) -> LineClient:
        names = ("send", "profile", "verify", "account")
        soon = {name: within(getattr(line_module.POLICIES, name), self.patience) for name in names}
        return LineClient(LineConfig.of(self.settings), self.gateway, replace(line_module.POLICIES, **soon))

    @property
    def stripe(self) -> StripeClient:
        ours = stripe_module.POLICIES
        policies = StripePolicies(within(ours.write, self.patience), within(ours.read, self.patience))
        return StripeClient(StripeConfig.of(self.settings), self.gateway, policies)

    def calls(self) -> dict[str, list[Callable[[], object]]]:
        """The calls to each system, by its name."""
        settings, gateway, limits = self.settings, self.gateway, CallLimits({})
        reading, posting = within(limits.reading("cron"), self.patience), within(limits.posting("cron"), self.patience)
        stores = within(limits.stores("cron", once=False), self.patience)
        return {
            "line": [
                lambda: self.line.push(user_id(1), [TEXT], str(uuid4())),
                lambda: self.line.profile(user_id(1)),
                lambda: self.line.verify_id_token("x"),
                LineAccount(self.line, ManualClock(NOON)).quota,
            ],
            "stripe": [
                lambda: self.stripe.expire_session("cs_test_1", str(uuid4())),
                lambda: self.stripe.session("cs_test_1"),
            ],
            "stores": [lambda: StoresClient.of(settings, gateway).customer("tok_1", 1, stores)],
            "chatwork": [lambda: ChatworkClient.of(settings, gateway).post(ROOM, "試験", posting)],
            "sms": [lambda: sms_provider_of(settings, gateway).send("+819012345678", "試験", posting)],
            "openai": [
                lambda: OpenAiClient.of(settings, gateway).models(reading),
                lambda: OpenAiClient.of(settings, gateway).answer(QUESTION, self.patience),
            ],
            "gemini": [lambda: GeminiClient.of(settings, gateway).answer(QUESTION, self.patience)],
            "smtp": [lambda: MailClient(MailConfig.of(settings), None, self.patience).send(MAIL)],
        }


def answered(outcome: object) -> bool:
    """Whether the system said anything at all, be it a refusal."""
    if isinstance(outcome, OutsideAnswer):
        return outcome.status is not None
    if isinstance(outcome, ModelFailure):
        return not outcome.reason.startswith("no response")
    return not isinstance(outcome, Unknown | LineUnreachable | StripeUnknown | MailUnknown)


def all_at_once(calls: dict[str, list[Callable[[], object]]]) -> list[tuple[str, int, bool, float]]:
    """System, number of the call, whether there was an answer, and how long that took."""

    def run(name: str, number: int, call: Callable[[], object]) -> tuple[str, int, bool, float]:
        started = time.monotonic()
        outcome = call()
        return name, number, answered(outcome), time.monotonic() - started

    each = [(name, number, call) for name, several in calls.items() for number, call in enumerate(several)]
    with ThreadPoolExecutor(len(each)) as pool:
        return list(pool.map(lambda one: run(*one), each))


@pytest.fixture
def outside(
    db: Database, taps: dict[str, Tap], tmp_path: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[timedelta], Outside]]:
    settings = settings_for("http://127.0.0.1:1", tmp_path, **addresses(taps))
    gateway = HttpGateway(db)
    # The calls that hang on purpose below outlast the longest time that the product gives a model.
    policy = replace(language_models.POLICY, timeout=PATIENT, deadline=PATIENT)
    monkeypatch.setattr(language_models, "POLICY", policy)
    yield lambda patience: Outside(settings, gateway, patience)
    for tap in taps.values():
        tap.turn("works")
    gateway.close()


@sqlite_only
class TestCalls:
    @pytest.mark.parametrize("manner", HANGING)
    def test_each_ends_at_its_deadline_and_works_again_when_the_system_does(
        self, outside: Callable[[timedelta], Outside], taps: dict[str, Tap], manner: Manner
    ) -> None:
        calls = outside(SOON).calls()
        for tap in taps.values():
            tap.turn(manner)
        found = all_at_once(calls)
        assert [one for one in found if one[2] or one[3] > AT_LAST] == []
        for tap in taps.values():
            tap.turn("works")
        found = all_at_once(outside(PATIENT).calls())
        assert [one for one in found if not one[2]] == []

    def test_a_resolver_that_hangs_ends_them_too(
        self, outside: Callable[[timedelta], Outside], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made, real, awake = outside(SOON), socket.getaddrinfo, threading.Event()
        named: dict[str, Any] = {
            name: value.replace("127.0.0.1", "outside.test")
            for name, value in made.settings
            if isinstance(value, str) and value.startswith("http")
        }
        named["smtp_url"] = SecretStr("smtp://outside.test:25")
        asked: list[str] = []

        def resolve(host: str, *args: Any, **options: Any) -> Any:
            if host != "outside.test":
                return real(host, *args, **options)
            asked.append(host)
            awake.wait(AT_LAST)
            return []

        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        found = all_at_once(replace(made, settings=made.settings.model_copy(update=named)).calls())
        awake.set()
        assert [one for one in found if one[2] or one[3] > AT_LAST / 2] == []
        assert len(asked) >= len(found)

    def test_one_system_that_hangs_holds_up_no_other(
        self, outside: Callable[[timedelta], Outside], taps: dict[str, Tap]
    ) -> None:
        """It has more calls under way than it may have connections."""
        calls, others = outside(PATIENT).calls(), outside(PATIENCE_OF_OTHERS).calls()
        for name in SYSTEMS:
            taps[name].turn("drips")
            with ThreadPoolExecutor(20) as pool:
                try:
                    for call in calls[name]:
                        for _ in range(20 // len(calls[name])):
                            pool.submit(call)
                    eventually(lambda name=name: taps[name].held >= CONNECTIONS[name])  # type: ignore[misc]
                    found = all_at_once({other: several for other, several in others.items() if other != name})
                    assert [one for one in found if not one[2]] == [], name
                    assert taps[name].held >= CONNECTIONS[name], name
                finally:
                    taps[name].turn("works")

    def test_an_alarm_to_many_people_takes_the_time_of_one(
        self, outside: Callable[[timedelta], Outside], taps: dict[str, Tap], db: Database
    ) -> None:
        made = outside(SOON)
        mail, sms = MailClient(MailConfig.of(made.settings), db), sms_provider_of(made.settings, made.gateway)
        channels = AlarmChannels(ChatworkClient.of(made.settings, made.gateway), mail, sms, None)
        ten = {"email_to": "a@example.jp," * 10, "sms_to": "090-1234-5678," * 10}
        policy = within(CallLimits({}).posting("cron"), SOON)
        for name, channel in (("smtp", "email"), ("sms", "sms")):
            taps[name].turn("drips")
            rule = AlarmRule("TEST_ALARM", "critical", (channel,), **ten)  # type: ignore[arg-type]
            found = channels.send(channel, rule, AlarmText("試験", ("試験",), "試験"), policy, NOON)  # type: ignore[arg-type]
            assert found.outcome != "sent", name
        targets = db.read_now(lambda tx: tx.execute(select(ApiCallLog.target).order_by(ApiCallLog.id)).scalars().all())
        assert targets == ["smtp", "twilio"], "nobody but the first was tried"


TARGETS = ("stores", "chatwork", "sms", "line", "openai")


@pytest.fixture
def make_desk(
    make_product: ProductMaker, taps: dict[str, Tap], monkeypatch: pytest.MonkeyPatch
) -> Callable[[timedelta], Desk]:
    def make(patience: timedelta) -> Desk:
        """`patience`: how long the senders wait for a system that hangs."""
        for module in (broadcasts, mail_jobs):
            monkeypatch.setattr(module, "_STEP", 0.5)
        monkeypatch.setattr(worker, "HEARTBEAT_EVERY", timedelta(milliseconds=20))
        ours = stripe_module.POLICIES
        monkeypatch.setattr(
            stripe_module, "POLICIES", StripePolicies(within(ours.write, patience), within(ours.read, patience))
        )
        product = make_product(**addresses(taps))
        product.runtime.part(MailClient)._deadline = patience
        line = product.line.policies
        product.line.policies = replace(line, send=within(line.send, patience), profile=within(line.profile, patience))
        return Desk(product)

    return make


@sqlite_only
class TestProduct:
    @pytest.mark.parametrize("manner", ["drips", "keeps silent"])
    def test_everybody_goes_on_while_all_systems_hang(
        self, make_desk: Callable[[timedelta], Desk], taps: dict[str, Tap], manner: Manner
    ) -> None:
        desk = make_desk(PATIENT)
        product = desk.product
        for tap in taps.values():
            tap.turn(manner)
        desk.give_work()
        with ThreadPoolExecutor(2) as office, working(product), desk.another_browser() as http:
            asked = [
                office.submit(http.post, "/api/admin/connectivity", json={"targets": TARGETS}),
                office.submit(http.post, "/api/threads/suggestions", json={"title": "防災の会"}),
            ]
            try:
                for name, tap in taps.items():
                    assert eventually(lambda tap=tap: tap.held), name  # type: ignore[misc]
                assert desk.people_go_on() == []
                assert not [one for one in asked if one.done()]
                # Nothing that hung has ended meanwhile, so nobody has waited for any of it.
                assert [name for name, tap in taps.items() if not tap.held] == []
            finally:
                for tap in taps.values():
                    tap.turn("works")
            assert [one.result().status_code for one in asked] == [200, 200]

    def test_no_sender_falls_silent_however_the_systems_hang(
        self, make_desk: Callable[[timedelta], Desk], taps: dict[str, Tap], clock: ManualClock
    ) -> None:
        desk = make_desk(SOON)
        with working(desk.product):
            for manner in HANGING:
                for tap in taps.values():
                    tap.turn(manner)
                desk.give_work()
                clock.advance(OLDEST_HEARTBEAT + timedelta(minutes=1))
                desk.product.runtime.work.send()
                assert desk.people_go_on() == [], manner
                eventually(lambda: not desk.silent())
            for tap in taps.values():
                tap.turn("works")


def test_a_step_of_a_sender_ends_before_its_lease_and_before_it_counts_as_silent() -> None:
    """Also when each call of a batch takes all the time that it may take."""
    line, stripe = line_module.POLICIES, stripe_module.POLICIES
    send, profile, read, write = (
        one.deadline.total_seconds() for one in (line.send, line.profile, stripe.read, stripe.write)
    )
    # Loop, lease, and the seconds of a step: how many calls one after the other, and how long each takes.
    steps = [
        ("thread_messages", message_sending.LEASE, ceil(message_sending.BATCH / messages._THREADS) * send),
        ("coverage_reminders", coverage_sending.LEASE, ceil(coverage_sending.BATCH / coverage._THREADS) * send),
        ("link_notices", link_sending.LEASE, link_sending.BATCH * send),
        # The profile, the reply, and a push when LINE refuses the reply.
        ("line_inbox", inbox.LEASE, ceil(inbox.BATCH_SIZE / inbox.THREADS) * (profile + 2 * send)),
        # The page, the refund, and the list of refunds.
        ("payment_tasks", tasks.LEASE, tasks.BATCH_SIZE * (2 * read + write)),
    ]
    too_long = [(name, seconds) for name, lease, seconds in steps if seconds >= lease.total_seconds()]
    assert too_long == []
    by_the_clock = reconciling._SECONDS_BY_THE_CLOCK + read
    longest = max([by_the_clock, *(seconds for _, _, seconds in steps)])
    # A beat is written every so often.
    assert longest + worker.HEARTBEAT_EVERY.total_seconds() < OLDEST_HEARTBEAT.total_seconds()
