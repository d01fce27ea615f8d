"""Dialogs and states that no other test shows: they fit, and axe-core finds nothing serious in them.

`make screenshots` asks the same of every scene at both widths; these are the ones that people work in.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Demo
from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious
from tools.screenshots.scene import Scene, World
from tools.screenshots.stage import SCENES, open_page, settled, show

NAMES = {
    "admin-audience-delete",
    "admin-audience-unsaved",
    "admin-event-new-ask",
    "admin-event-new-over-quota",
    "admin-event-new-progress",
    "admin-event-new-refused",
    "admin-event-person",
    "admin-event-print",
    "admin-home-troubled",
    "admin-login-refused",
    "admin-members-failed",
    "admin-members-loading",
    "admin-session-expired",
    "admin-thread-add-people",
    "admin-thread-edit",
    "admin-thread-new-ask",
    "admin-thread-new-mistyped",
    "admin-thread-new-required",
    "admin-thread-rule",
    "admin-threads-failed",
    "member-cancelled",
    "member-late",
    "member-offline-answer",
    "member-picture",
    "member-register-no-match",
    "phones-calls",
    "phones-faults",
}
SHOWN = [scene for scene in SCENES if scene.name in NAMES]


@pytest.fixture(scope="module")
def world(demo: Demo) -> Iterator[World]:
    with settled(demo.product, demo.phones) as made:
        yield made


def test_every_name_is_a_scene() -> None:
    assert {scene.name for scene in SHOWN} == NAMES


@pytest.mark.parametrize("scene", SHOWN, ids=lambda scene: scene.name)
def test_nothing_serious(chromium: Browser, world: World, scene: Scene) -> None:
    with open_page(chromium, scene, world, "phone") as page:
        show(page, scene, world)
        assert serious(page) == []
        assert not overflows(page)
