"""Publishing the menu at the sandbox over HTTP, with everything that can go wrong on the way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.factories.product import Box, line_client, settings_for
from tests.product_fixtures import sqlite_only
from tests.sandbox.pictures import png
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.http import HttpGateway
from tsudoi.line.rich_menu import jobs
from tsudoi.line.rich_menu.jobs import MenuPublished, PublishStopped
from tsudoi.line.rich_menu.rules.menu import menu

PICTURE = png(2500, 843)
FIRST = menu("https://liff.line.me/1-a/", "https://example.jp/1", PICTURE)
SECOND = menu("https://liff.line.me/1-a/", "https://example.jp/2", PICTURE)


class Desk:
    def __init__(self, box: Box, gateway: HttpGateway, folder: Path) -> None:
        settings = settings_for("http://127.0.0.1:1", folder, box.url)
        self._account = LineAccount(line_client(settings, gateway), SystemClock())
        self._box = box

    def publish(self, body: dict[str, Any]) -> MenuPublished | PublishStopped:
        return jobs.publish(self._account, body, PICTURE)

    def step(self, body: dict[str, Any]) -> str | None:
        outcome = self.publish(body)
        return outcome.step if isinstance(outcome, PublishStopped) else None

    @property
    def names(self) -> list[str]:
        return [each["name"] for each in self._box.http.get("/_sandbox/state").json()["rich_menus"]]

    @property
    def shown(self) -> str | None:
        found = self._box.http.get("/_sandbox/rich_menu").json()["rich_menu"]
        return found["name"] if found else None


@pytest.fixture
def desk(db: Database, box: Box, tmp_path: Path, impatient: None, plain_log: None) -> Iterator[Desk]:
    gateway = HttpGateway(db)
    yield Desk(box, gateway, tmp_path)
    gateway.close()


def foreign(box: Box) -> str:
    """A menu that somebody else made."""
    made = box.world.rich_menus.create({**FIRST, "name": "tsudoi menu of another program"})
    return made.id


class TestPublish:
    def test_makes_paints_and_shows_it_and_the_second_time_does_nothing(self, desk: Desk, box: Box) -> None:
        made = desk.publish(FIRST)
        assert isinstance(made, MenuPublished)
        assert made.made
        assert (desk.names, desk.shown) == ([FIRST["name"]], FIRST["name"])
        before = len(box.calls("/v2/bot"))
        assert desk.publish(FIRST) == MenuPublished(None, 0)
        assert {call["method"] for call in box.calls("/v2/bot")[before:]} == {"GET"}


@sqlite_only
class TestReplacing:
    def test_a_changed_menu_replaces_ours_and_leaves_others_alone(self, desk: Desk, box: Box) -> None:
        foreign(box)
        desk.publish(FIRST)
        outcome = desk.publish(SECOND)
        assert isinstance(outcome, MenuPublished)
        assert outcome.removed == 1
        assert desk.names == ["tsudoi menu of another program", SECOND["name"]]
        assert desk.shown == SECOND["name"]

    def test_a_foreign_default_is_replaced_but_not_removed(self, desk: Desk, box: Box) -> None:
        theirs = foreign(box)
        box.world.rich_menus.attach_image(theirs, PICTURE)
        box.world.rich_menus.set_default(theirs)
        assert desk.publish(FIRST) != MenuPublished(None, 0)
        assert desk.shown == FIRST["name"]
        assert len(desk.names) == 2

    @pytest.mark.parametrize("kind", ["error_500_before", "timeout_before_accept", "error_500_after"])
    @pytest.mark.parametrize("step", ["create", "upload", "show", "tidy"])
    def test_a_step_that_fails_is_named_and_a_second_run_finishes(
        self, desk: Desk, box: Box, monkeypatch: pytest.MonkeyPatch, kind: str, step: str
    ) -> None:
        desk.publish(FIRST)
        verb = {
            "create": "create_rich_menu",
            "upload": "upload_rich_menu_image",
            "show": "set_default_rich_menu",
            "tidy": "delete_rich_menu",
        }[step]
        _fault_during(desk, box, monkeypatch, verb, kind)
        assert desk.step(SECOND) == step
        done_unheard = (step, kind) == ("show", "error_500_after")
        assert desk.shown == (SECOND if step == "tidy" or done_unheard else FIRST)["name"]
        monkeypatch.undo()
        box.mends()
        assert isinstance(desk.publish(SECOND), MenuPublished)
        assert (desk.names, desk.shown) == ([SECOND["name"]], SECOND["name"])
        assert desk.publish(SECOND) == MenuPublished(None, 0)

    def test_when_line_cannot_be_asked_nothing_is_tried(self, desk: Desk, box: Box) -> None:
        box.breaks("error_500_before", "rich_menu")
        assert desk.step(FIRST) == "look"
        assert desk.names == []


def _fault_during(desk: Desk, box: Box, patch: pytest.MonkeyPatch, verb: str, kind: str) -> None:
    """The sandbox's faults do not tell one rich menu call from another, so the rule is set just before one."""
    real = getattr(desk._account, verb)

    def broken(*args: Any) -> Any:
        box.breaks(kind, "rich_menu", seconds=1)
        return real(*args)

    patch.setattr(desk._account, verb, broken)
