"""Every scene of the gallery (`make screenshots`) can be shown, fits, and axe-core finds nothing serious in it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Demo
from tests.browser.test_friends import overflows
from tests.browser.test_screens import serious
from tools.screenshots.scene import Scene, World
from tools.screenshots.stage import SCENES, open_page, settled, show


@pytest.fixture(scope="module")
def world(demo: Demo) -> Iterator[World]:
    with settled(demo.product, demo.phones) as made:
        yield made


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_nothing_serious_in_any_state(chromium: Browser, world: World, scene: Scene) -> None:
    with open_page(chromium, scene, world, "phone") as page:
        show(page, scene, world)
        assert serious(page) == []
        assert not overflows(page)
