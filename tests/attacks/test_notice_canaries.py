"""G17 for notices, payments and mails: names, addresses, LINE ids, payment pages and keys through every path.

LINE repeats what it was sent in its errors, which it does not do in truth. Nothing of it may stand in a log, in
`api_call_logs`, in the push log or in a column for errors.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import create_engine, text

from tests.attacks.test_booking_canaries import SECRETS as BOOKING
from tests.booking.reservations.hospital import Hospital
from tests.factories.line_stand_in import SILENT, Answer, LineStandIn, Push, line_stand_in
from tests.factories.processes import SECRETS, Server, started, tsudoi
from tests.servers import browser, eventually
from tsudoi.core.clock import JST, SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox, running

NAME, GIVEN, EMAIL = "金糸雀", "カナリア子", "songbird@cage.example"
USER, REASON, PLACE = "U" + "ca9a41" * 5 + "ff", "CANARY-REASON 電話", "CANARY-PLACE 鳥籠"
STRIPE = {
    "STRIPE_SECRET_KEY": "sk_test_4eC39HqLyjWDarjtT1zdp7dcCanary",
    "STRIPE_WEBHOOK_SECRET": "whsec_5f0c1d2e3a4958677e6d5c4bCanary",
}
# Where an error of the outside may be kept.
ERRORS = (
    "SELECT last_error FROM notification_jobs",
    "SELECT error, request_id FROM notification_attempts",
    "SELECT last_error FROM payments",
    "SELECT last_error FROM payment_tasks",
    "SELECT last_error FROM mail_messages",
    "SELECT * FROM stripe_events",
    "SELECT * FROM api_call_logs",
)


@pytest.fixture
def box() -> Iterator[RunningSandbox]:
    config = SandboxConfig(
        port=0,
        channel_secret=SECRETS["LINE_CHANNEL_SECRET"],
        channel_access_token=SECRETS["LINE_CHANNEL_ACCESS_TOKEN"],
        login_channel_id=SECRETS["LINE_LOGIN_CHANNEL_ID"],
        liff_id=SECRETS["LIFF_ID"],
        webhook_url=None,
        liff_endpoint_url="http://127.0.0.1:8000/liff/",
        stripe_secret_key=STRIPE["STRIPE_SECRET_KEY"],
        stripe_webhook_secret=STRIPE["STRIPE_WEBHOOK_SECRET"],
    )
    with running(config) as found:
        yield found


@pytest.fixture
def line() -> Iterator[LineStandIn]:
    """Refuses what it gets, and repeats it; every third time it says nothing at all."""

    def parrot(push: Push, number: int) -> Answer:
        return Answer(400, {"message": f"{push.to} {EMAIL}"}) if number % 3 else SILENT

    with line_stand_in() as found:
        found.answer = parrot
        yield found


@pytest.fixture
def settings(box: RunningSandbox, line: LineStandIn) -> dict[str, str]:
    bases = {"LINE_API_BASE": line.url, "LINE_DATA_API_BASE": line.url, "STRIPE_API_BASE": box.url}
    mail = {"SMTP_URL": box.smtp_url, "MAIL_FROM": "事務局 <office@example.jp>"}
    return {**BOOKING, **STRIPE, **bases, **mail, "LOG_LEVEL": "DEBUG"}


@pytest.fixture
def server(tmp_path: Path, migrated_sqlite: Path, settings: dict[str, str], box: RunningSandbox) -> Iterator[Server]:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tsudoi.sqlite3").write_bytes(migrated_sqlite.read_bytes())
    admin = {"ADMIN_USERNAME": "jimukyoku", "ADMIN_PASSWORD": "correct horse battery staple"}
    with started(tmp_path, "serve", **settings, **admin) as found:
        box.world.stripe_webhook_url = f"{found.url}/api/stripe/webhook"
        yield found


class Ward:
    """The canary, with a free slot and one with a price."""

    def __init__(self, db: Database) -> None:
        self.hospital = Hospital(db, BOOKING["JWT_SECRET"])
        uid = self.hospital.staff(family_name=NAME, given_name=GIVEN, email=EMAIL, line_user_id=USER)
        self.token = self.hospital.token(uid)
        more = {"mail_fallback": 1, "place": PLACE, "cancel_until_hours": 0, "limit_per_year": None}
        free, priced = self.hospital.type("健診", **more), self.hospital.type("ドック", price_jpy=3000, **more)
        self.free, self.moved, self.priced, self.again = (
            self._slot(type_id, days) for type_id, days in ((free, 5), (free, 6), (priced, 7), (priced, 8))
        )

    def _slot(self, type_id: int, days: int) -> int:
        day = (SystemClock().now() + timedelta(days=days)).astimezone(JST).strftime("%Y-%m-%d")
        return self.hospital.slot(type_id, day)


@pytest.fixture
def ward(server: Server, tmp_path: Path) -> Iterator[Ward]:
    url = f"sqlite:///{tmp_path / 'data' / 'tsudoi.sqlite3'}"
    with closing(open_database(url, SystemClock())) as db:
        yield Ward(db)


def test_no_canary_of_notices_sings(
    server: Server, ward: Ward, box: RunningSandbox, settings: dict[str, str], tmp_path: Path
) -> None:
    admin = tsudoi(tmp_path, "admin", "token", "jimukyoku", **settings).stdout.strip().splitlines()[-1]
    with server.client() as person, server.client() as office, browser(box.url) as control:
        person.headers["authorization"] = f"Bearer {ward.token}"
        office.headers["authorization"] = f"Bearer {admin}"
        met = walk(person, office, control, ward)
        said = [run(tmp_path, settings), run(tmp_path, {**settings, "NOTIFICATION_CRON_DRY_RUN": "true"})]
        eventually(lambda: kept(tmp_path, "SELECT 1 FROM mail_messages WHERE last_error IS NOT NULL") != "[]")
    said += [run(tmp_path, settings), server.said()]
    assert [json.loads(line) for line in server.log()]
    said += [kept(tmp_path, statement) for statement in ERRORS]
    said += [path.read_text() for path in (tmp_path / "data").rglob("*.ndjson")]
    everything = "\n".join(said)
    assert "HTTP 400" in everything, "the errors of LINE are there"
    assert "550 5.1.1" in everything, "the errors of the mail server are there"
    secrets = (*BOOKING.values(), *STRIPE.values(), SECRETS["LINE_CHANNEL_ACCESS_TOKEN"])
    for canary in (NAME, GIVEN, EMAIL, USER, REASON, PLACE, admin, ward.token, *secrets, *met):
        assert canary not in everything, canary


def run(folder: Path, settings: dict[str, str]) -> str:
    done = tsudoi(folder, "notifications", "send", **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def kept(folder: Path, statement: str) -> str:
    engine = create_engine(f"sqlite:///{folder / 'data' / 'tsudoi.sqlite3'}")
    with engine.connect() as connection:
        found = str(connection.execute(text(statement)).all())
    engine.dispose()
    return found


def walk(person: httpx2.Client, office: httpx2.Client, control: httpx2.Client, ward: Ward) -> list[str]:
    """Booked, paid, moved, cancelled, sent again, refunded; well and badly. Gives the payment pages."""
    pages = [paid(person, control, ward.priced), paid(person, control, ward.again, method="declined")]
    free = booked(person, ward.free)
    assert person.patch(f"/api/reservations/{free['id']}", json={"slotId": ward.moved}).status_code == 200
    for table in ("notifications", "notifications/summary", "payments", f"reservations/{free['id']}/timeline"):
        assert office.get(f"/api/admin/{table}", params={"query": NAME}).status_code in (200, 400)
    answers: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "notifications/1/resend", {"reason": REASON, "accept_duplicate": True}),
        ("POST", "notifications/resend", {"reason": REASON, "cause": "REFUSED"}),
        ("POST", "notifications/resend", {"reason": REASON, "cause": NAME}),
        ("PUT", "notifications/templates/CONFIRMATION", {"body": f"{REASON} {{氏名}} 様 {{日時}}"}),
        ("PUT", "notifications/templates/CONFIRMATION", {"body": f"{REASON} {{{NAME}}}"}),
        ("POST", "notifications/pause", {"reason": REASON}),
        ("POST", "notifications/resume", {"reason": REASON}),
        ("POST", "payments/1/refund", {"reason": REASON}),
        ("POST", f"stripe-events/{NAME}/resolve", {"note": REASON}),
    ]
    for method, path, body in answers:
        assert office.request(method, f"/api/admin/{path}", json=body).status_code < 500
    headers = {"content-type": "application/json", "stripe-signature": f"t=1,v1={NAME.encode().hex()}"}
    for content in (f'{{"id": "{NAME}", "email": "{EMAIL}"}}', f'{{"{USER}'):
        assert person.post("/api/stripe/webhook", content=content.encode(), headers=headers).status_code == 400
    assert person.delete(f"/api/reservations/{free['id']}", headers={"content-type": "application/json"}).is_success
    return pages


def booked(person: httpx2.Client, slot_id: int) -> dict[str, Any]:
    made = person.post("/api/reservations", json={"slotId": slot_id})
    assert made.status_code == 201, made.text
    return dict(made.json())


def paid(person: httpx2.Client, control: httpx2.Client, slot_id: int, method: str = "card") -> str:
    """Stripe fails first, so that its error is kept too; then somebody pays on the page, or is declined."""
    faults = [
        {"kind": "error_500_before", "endpoint": "stripe_create", "times": 1},
        {"kind": "smtp_550", "endpoint": "smtp"},
    ]
    control.put("/_sandbox/faults", json={"rules": faults}).raise_for_status()
    made = booked(person, slot_id)
    page = person.post(f"/api/reservations/{made['id']}/payment", json={}).json()["checkoutUrl"]
    session_id = page.partition("/c/pay/")[2].partition("#")[0].partition("?")[0]
    control.post(f"/_sandbox/stripe/sessions/{session_id}/pay", json={"method": method}).raise_for_status()
    return str(page)
