"""`tsudoi doctor` on our own side: each check when all is well, and when it is not."""

import os
import shutil
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from tests.commands.doctor_fixtures import OK, PROBLEM, WARNING, Examine, clock, examine, product
from tests.factories.processes import SECRETS
from tests.factories.product import LIFF_ID, Box, Product, settings_for
from tests.factories.terminal import Terminal
from tests.factories.webhooks import event, user_id
from tests.product_fixtures import sqlite_only
from tests.servers import nobody_there
from tsudoi.access.health import heartbeat_name
from tsudoi.commands import doctor
from tsudoi.commands.checks import account, backups, server, webhook
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
        found = examine(product.settings, staff_self_registration="code", **mail)
        assert {title: each.message for title, each in found.items() if each.level is not OK} == {}
        assert len(found) == len(doctor.CHECKS) + 3
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

    @pytest.mark.parametrize("url", ["postgresql://me:hunter2@127.0.0.1:1/x", "nonsense", "sqlite:////proc/no/x.db"])
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


class TestCommand:
    @pytest.fixture
    def terminal(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(doctor, "configure_logging", lambda _level: None)
        monkeypatch.setenv("PGCONNECT_TIMEOUT", os.environ.get("PGCONNECT_TIMEOUT", ""))
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
