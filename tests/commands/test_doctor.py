"""`tsudoi doctor` on our own side: each check when all is well, and when it is not."""

import shutil
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.commands.doctor_fixtures import OK, PROBLEM, WARNING, Examine, clock, examine, product
from tests.factories.processes import SECRETS
from tests.factories.product import LIFF_ID, Box, Product, settings_for
from tests.factories.terminal import Terminal
from tests.factories.webhooks import event, user_id
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.roster.members.people import enrol
from tests.servers import nobody_there, serving
from tsudoi.access.health import heartbeat_name
from tsudoi.commands import doctor
from tsudoi.commands.checks import account, audit_key, backups, proxy, server, webhook
from tsudoi.commands.checks.findings import Finding, Level
from tsudoi.contexts import CONTEXTS
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.heartbeats import BACKUP, beat
from tsudoi.core.sessions import open_session
from tsudoi.roster.linking.service import ask_for_link

__all__ = ["clock", "examine", "product"]


def meet(product: Product, liff: int, webhooks: int, common: bool = False) -> None:
    """People whom the LIFF pages know, and people whom the webhook knows."""
    for number in range(liff):
        product.db.write_now(open_session, "liff", user_id(number), {}, timedelta(hours=1))
    now = product.db.clock.now()
    people = [user_id(0 if common else 1000 + number) for number in range(webhooks)]
    product.post_webhook(*(event(who=who, at=now) for who in people)).raise_for_status()


# Every loop of the worker.
LOOPS = ("clockwork", *(sender.name for context in CONTEXTS for sender in context.senders))


class TestAll:
    def test_a_house_in_order(self, product: Product, box: Box, db: Database, examine: Examine) -> None:
        for loop in LOOPS:
            db.write_now(beat, heartbeat_name(loop))
        db.write_now(beat, BACKUP)
        meet(product, 1, 1, common=True)
        made = box.world.rich_menus.create({"size": {"width": 2500, "height": 843}, **_MENU})
        box.world.rich_menus._default = made.id
        mail = {"smtp_url": SecretStr(box.smtp_url), "mail_from": "office@example.jp"}
        alarms = {"chatwork_api_token": SecretStr("token"), "alarm_chatwork_room_id": "1"}
        found = examine(product.settings, staff_self_registration="code", **mail, **alarms)
        assert {title: each.message for title, each in found.items() if each.level is not OK} == {}
        # Some checks say two things, and only a restored copy is spoken of as one.
        assert len(found) == len(doctor.CHECKS) + 3 - 1
        assert all(each.advice == "" for each in found.values())

    def test_a_check_that_breaks_does_not_stop_the_others(
        self, product: Product, db: Database, examine: Examine
    ) -> None:
        """Without this table the database cannot be written by us, and the worker's check fails outright."""
        db.write_now(lambda tx: tx.execute(text("DROP TABLE heartbeats")))
        found = examine(product.settings)
        assert found[server.DATABASE].level is PROBLEM
        assert "書き込めません" in found[server.DATABASE].message
        assert "the check itself failed" in found[server.WORKING].message
        assert found[webhook.SECRET].level is OK

    def test_every_trouble_comes_with_its_cure(self, tmp_path: Path, examine: Examine) -> None:
        settings = settings_for("http://tsudoi.example.jp", tmp_path, nobody_there(), liff_id="1-x")
        found = examine(settings, members_sheet_id="x")
        assert len([each for each in found.values() if each.level is PROBLEM]) >= 6
        assert [each for each in found.values() if each.level is not OK and not each.advice] == []


_MENU = {"selected": True, "name": "m", "chatBarText": "m", "areas": []}


class TestDatabase:
    def test_that_is_empty_wants_migrating(self, empty_url: str, tmp_path: Path, box: Box, examine: Examine) -> None:
        found = examine(settings_for("http://127.0.0.1:1", tmp_path, box.url, database_url=empty_url))
        assert found[server.DATABASE].level is PROBLEM
        assert "tsudoi migrate" in found[server.DATABASE].advice
        assert found[server.WORKING].level is WARNING
        assert found[account.TOKEN].level is OK
        assert not (tmp_path / "empty.sqlite3").exists()

    @pytest.mark.parametrize("url", ["postgresql://me:hunter2@127.0.0.1:1/x", "sqlite:////proc/no/x.db"])
    def test_that_cannot_be_opened(self, url: str, tmp_path: Path, box: Box, examine: Examine) -> None:
        found = examine(settings_for("http://127.0.0.1:1", tmp_path, box.url, database_url=url))
        assert found[server.DATABASE].level is PROBLEM
        assert "hunter2" not in str(found)
        assert found[account.TOKEN].level is OK


class TestWorker:
    def test_that_never_ran_or_stopped(
        self, product: Product, db: Database, clock: ManualClock, examine: Examine
    ) -> None:
        assert "never" in examine(product.settings)[server.WORKING].message
        for loop in LOOPS:
            db.write_now(beat, heartbeat_name(loop))
        assert examine(product.settings)[server.WORKING].level is OK
        clock.advance(timedelta(minutes=3))
        assert examine(product.settings)[server.WORKING].level is PROBLEM

    def test_that_does_not_keep_up(self, product: Product, db: Database, clock: ManualClock, examine: Examine) -> None:
        product.post_webhook(event(at=clock.now())).raise_for_status()
        clock.advance(timedelta(minutes=6))
        for loop in LOOPS:
            db.write_now(beat, heartbeat_name(loop))
        found = examine(product.settings)[server.WORKING]
        assert (found.level, "work waits" in found.message) == (WARNING, True)


class TestPeople:
    """Ids of one person agree only between channels of one provider."""

    def test_in_common(self, product: Product, examine: Examine) -> None:
        for liff, webhooks, common, level in (
            (0, 0, False, WARNING),
            (2, 9, False, WARNING),
            (3, 3, False, PROBLEM),
            (3, 1, True, OK),
        ):
            meet(product, liff, webhooks, common)
            assert examine(product.settings)[account.PROVIDER].level is level, (liff, webhooks)

    @sqlite_only
    @pytest.mark.parametrize("login", ["9999999999", None])
    def test_a_liff_of_another_channel(self, product: Product, examine: Examine, login: str | None) -> None:
        found = examine(product.settings, line_login_channel_id=login)[account.CHANNEL]
        assert found.level is PROBLEM
        assert LIFF_ID in found.message


class TestLinking:
    def test_the_choice_is_explained(self, product: Product, examine: Examine) -> None:
        automatic = examine(product.settings)["LINEとの連携"]
        assert (automatic.level, "ONBOARDING_AUTO_LINK=off" in automatic.message) == (OK, True)
        by_office = examine(product.settings, onboarding_auto_link="off")["LINEとの連携"]
        assert "確認待ち 0 人" in by_office.message
        product.db.write_now(ask_for_link, user_id(1), "山田太郎", ("たろう", None), nfkc=False)
        waiting = examine(product.settings, onboarding_auto_link="off")["LINEとの連携"]
        assert ("確認待ち 1 人" in waiting.message, "会員名簿" in waiting.advice) == (True, True)

    @pytest.mark.found("24.C12")
    def test_names_that_are_compared_by_an_earlier_setting(self, product: Product, examine: Examine) -> None:
        enrol(product.db, (101, "ＡＢＥ　ＫＥＮ"), (102, "山田太郎"), nfkc=False)
        assert examine(product.settings)["LINEとの連携"].level is OK
        finding = examine(product.settings, onboarding_name_nfkc=True)["LINEとの連携"]
        assert (finding.level, "1 人" in finding.message, "起動し直す" in finding.advice) == (WARNING, True, True)


class TestSettings:
    @sqlite_only
    def test_each_fault_is_told(self, product: Product, examine: Examine) -> None:
        found = examine(product.settings, tsudoi_demo=False)[server.SETTINGS]
        assert found.level is PROBLEM
        assert "LINE_CHANNEL_SECRET" in found.message
        assert found.advice

    @pytest.mark.parametrize(
        ("url", "line", "level"),
        [
            ("https://tsudoi.example.jp", "https://api.line.me", OK),
            ("http://127.0.0.1:8000", "http://127.0.0.1:8001", OK),
            ("http://127.0.0.1:8000", "https://api.line.me", PROBLEM),
            ("http://tsudoi.example.jp", "https://api.line.me", PROBLEM),
        ],
    )
    def test_the_address(self, tmp_path: Path, url: str, line: str, level: Level) -> None:
        context: Any = SimpleNamespace(settings=settings_for(url, tmp_path, line))
        assert server.address(context).level is level

    @pytest.mark.parametrize(("free", "level"), [(10**7, PROBLEM), (5 * 10**8, WARNING), (10**11, OK)])
    def test_the_disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, level: Level) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=free))
        context: Any = SimpleNamespace(settings=settings_for("https://a.jp", tmp_path, "https://api.line.me"))
        assert server.disk(context).level is level

    @pytest.mark.found("24.D5")
    @pytest.mark.row("8.D.17")
    def test_a_data_dir_that_is_not_there(self, tmp_path: Path) -> None:
        settings = settings_for("https://a.jp", tmp_path / "gone", "https://api.line.me")
        context: Any = SimpleNamespace(settings=settings)
        found = server.disk(context)
        assert (found.level, "no such folder" in found.message) == (PROBLEM, True)


@pytest.mark.found("24.D6")
@pytest.mark.row("8.A.19")
class TestTheSettingsFile:
    @pytest.mark.parametrize(
        ("line", "mode", "words"),
        [("SMTP_ULR=smtp://canary", 0o600, "SMTP_ULR? SMTP_URL"), ("PORT=9000", 0o644, "everybody on this server")],
    )
    def test_a_name_that_nobody_reads_and_a_file_that_everybody_reads_are_warnings(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, mode: int, words: str
    ) -> None:
        file = tmp_path / "tsudoi.env"
        file.write_text(f"{line}\n")
        file.chmod(mode)
        monkeypatch.setenv("TSUDOI_ENV_FILE", str(file))
        found = [one for one in server.doubts_about_the_file() if one.title == server.SETTINGS]
        assert [one.level for one in found] == [WARNING]
        assert words in found[0].message
        assert "canary" not in found[0].message
        file.write_text("PORT=9000\n")
        file.chmod(0o640)
        assert list(server.doubts_about_the_file()) == []


class TestCommand:
    @pytest.fixture
    def terminal(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(doctor, "configure_logging", lambda _level: None)
        return Terminal(tmp_path, monkeypatch, capsys)

    @pytest.mark.usefixtures("impatient")
    def test_tells_everything_and_ends_with_one(self, terminal: Terminal, box: Box) -> None:
        done = terminal("doctor", LINE_API_BASE=box.url)
        assert done.code == 1
        assert "問題  データベース" in done.out
        assert "→ tsudoi migrate" in done.out
        assert "problems" in done.out.splitlines()[-1]
        assert SECRETS["LINE_CHANNEL_ACCESS_TOKEN"] not in done.out + done.err

    def test_ends_with_zero_when_there_are_only_warnings(
        self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(doctor, "examine", lambda *_: iter([Finding("時計", WARNING, "遅れ", "合わせる")]))
        done = terminal("doctor")
        assert done.code == 0
        assert "注意  時計: 遅れ" in done.out

    def test_settings_that_cannot_be_read(self, terminal: Terminal) -> None:
        done = terminal("doctor", PORT="abc")
        assert done.code == 1
        assert "PORT" in done.out


@sqlite_only
class TestBackups:
    def test_are_missed_when_there_is_none_or_an_old_one(
        self, product: Product, db: Database, clock: ManualClock, examine: Examine
    ) -> None:
        real = {"tsudoi_demo": False}
        never = examine(product.settings, **real)[backups.BACKUP]
        assert (never.level, "tsudoi backup" in never.advice) == (WARNING, True)
        assert examine(product.settings, tsudoi_demo=True)[backups.BACKUP].level is OK
        db.write_now(beat, BACKUP)
        assert examine(product.settings, **real)[backups.BACKUP].level is OK
        clock.advance(timedelta(hours=product.settings.backup_warn_hours, seconds=1))
        assert examine(product.settings, **real)[backups.BACKUP].level is WARNING


@sqlite_only
def test_an_audit_trail_without_a_key_is_a_warning(product: Product, examine: Examine) -> None:
    real = {"tsudoi_demo": False}
    unsigned = examine(product.settings, **real)[audit_key.AUDIT_KEY]
    assert (unsigned.level, "not signed" in unsigned.message) == (WARNING, True)
    assert all(word in unsigned.advice for word in ("secrets.token_urlsafe", "AUDIT_HEADS_FILE"))
    assert examine(product.settings)[audit_key.AUDIT_KEY].level is OK
    signed = examine(product.settings, audit_key=SecretStr("k" * 40), **real)[audit_key.AUDIT_KEY]
    assert signed.level is OK


def proxy_to(upstream: str, **headers: str) -> Starlette:
    """A reverse proxy that adds these headers to each request."""

    async def forward(request: Request) -> Response:
        async with httpx2.AsyncClient(trust_env=False) as http:
            answer = await http.get(f"{upstream}{request.url.path}", headers=headers)
        return Response(answer.content, answer.status_code, media_type=answer.headers["content-type"])

    return Starlette(routes=[Route("/{path:path}", forward)])


class TestProxy:
    @sqlite_only
    def test_that_does_not_tell_whose_address_it_is_or_is_not_believed(
        self, make_product: ProductMaker, examine: Examine
    ) -> None:
        told, silent = {"x-forwarded-for": "203.0.113.9"}, dict[str, str]()
        for trusted, headers, level, word in (
            ("127.0.0.1", told, OK, "reports"),
            ("", told, WARNING, "not in TRUSTED_PROXIES"),
            ("10.9.9.9", told, WARNING, "not in TRUSTED_PROXIES"),
            ("127.0.0.1", silent, WARNING, "sends no X-Forwarded-For"),
        ):
            product = make_product(tsudoi_demo=True, trusted_proxies=trusted)
            with serving(proxy_to(product.url, **headers)) as url:
                found = examine(product.settings, public_base_url=url)[proxy.PROXY]
            assert (found.level, word in found.message) == (level, True), (trusted, headers)
            assert ("TRUSTED_PROXIES" in found.advice) is (level is WARNING)

    @sqlite_only
    def test_that_is_not_there(self, product: Product, examine: Examine) -> None:
        assert examine(product.settings)[proxy.PROXY].level is OK

    @sqlite_only
    def test_that_nobody_answers_through(self, product: Product, box: Box, examine: Examine) -> None:
        """Nothing listens there, or something that is not this product."""
        for url in (nobody_there(), box.url):
            found = examine(product.settings, public_base_url=url)[proxy.PROXY]
            assert (found.level, "not checked" in found.message) == (WARNING, True), url

    @pytest.mark.parametrize(("seen", "level"), [("connection", WARNING), ("unknown_proxy", WARNING), ("proxy", OK)])
    def test_behind_https_there_always_is_one(self, tmp_path: Path, seen: Any, level: Level) -> None:
        settings = settings_for("https://tsudoi.example.jp", tmp_path, "https://api.line.me")
        assert proxy._judged(seen, settings).level is level
