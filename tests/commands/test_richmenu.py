"""`tsudoi richmenu publish`, in front of a terminal and with the sandbox behind it."""

import json
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest
from PIL import Image

from tests.factories.customers import SHOP_KEYS
from tests.factories.processes import SECRETS
from tests.factories.product import ACCESS_TOKEN, Box
from tests.factories.terminal import Done, Terminal
from tsudoi.commands import richmenu, typeface
from tsudoi.line.rich_menu.rules.picture import picture
from tsudoi.sandbox.rich_menus import check_image, check_rich_menu

NEWS = "https://www.notion.so/tsudoi-news"
pytestmark = pytest.mark.usefixtures("impatient")
drawn_once = cache(picture)


class Desk:
    """The command with settings that lead to the sandbox."""

    def __init__(self, terminal: Terminal, box: Box) -> None:
        self._terminal, self._box = terminal, box

    def __call__(self, *arguments: str, **settings: str) -> Done:
        ours = {
            "LINE_API_BASE": self._box.url,
            "LINE_DATA_API_BASE": self._box.url,
            "LINE_CHANNEL_ACCESS_TOKEN": ACCESS_TOKEN,
            "NOTION_NEWS_URL": NEWS,
        }
        return self._terminal("richmenu", "publish", *arguments, **{**ours, **settings})


@pytest.fixture
def desk(
    tmp_path: Path, box: Box, migrated_sqlite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(richmenu, "picture", drawn_once)
    monkeypatch.setattr(richmenu, "configure_logging", lambda _level: None)  # This process has a log of its own.
    terminal = Terminal(tmp_path, monkeypatch, capsys)
    terminal.database.parent.mkdir()
    terminal.database.write_bytes(migrated_sqlite.read_bytes())
    return Desk(terminal, box)


class TestPublish:
    def test_shows_the_menu_that_leads_to_liff_and_news_and_then_has_nothing_to_do(self, desk: Desk, box: Box) -> None:
        first, second = desk(), desk()
        assert (first.code, second.code) == (0, 0), first.err + second.err
        assert "published: richmenu-" in first.out
        assert "nothing to do" in second.out
        shown = box.http.get("/_sandbox/rich_menu").json()["rich_menu"]
        assert [area["action"]["uri"] for area in shown["areas"]] == [
            f"https://liff.line.me/{SECRETS['LIFF_ID']}/",
            NEWS,
        ]
        check_image(box.http.get(shown["image_url"]).content)

    def test_another_address_replaces_it(self, desk: Desk, box: Box) -> None:
        desk()
        changed = desk("--news-url", "https://example.jp/news", NOTION_NEWS_URL="")
        assert changed.code == 0
        assert "removed our older ones: 1" in changed.out
        assert len(box.world.rich_menus.list()) == 1

    def test_a_failure_names_the_step_and_the_state(self, desk: Desk, box: Box) -> None:
        box.breaks("error_500_before", "rich_menu")
        failed = desk()
        assert failed.code == 1
        assert "“look”" in failed.err
        assert "nothing was changed" in failed.err
        box.mends()
        assert desk().code == 0

    @pytest.mark.parametrize("token", ["another-token", "アクセストークン"])
    def test_a_wrong_token(self, desk: Desk, token: str) -> None:
        failed = desk(LINE_CHANNEL_ACCESS_TOKEN=token)
        assert failed.code == 1
        assert "401" in failed.err
        assert token not in failed.err


@pytest.mark.found("24.C5")
@pytest.mark.row("6.2.1", "6.2.2")
class TestTheDoorOfStaff:
    BOOKING: ClassVar = {"FEATURES": "events,booking"}

    def test_is_in_the_menu_where_booking_is_on(self, desk: Desk, tmp_path: Path) -> None:
        shown = json.loads(desk("--dry-run", **self.BOOKING).out)
        labels = [(area["action"]["label"], area["bounds"]["width"]) for area in shown["areas"]]
        assert labels == [("出欠確認", 833), ("職員予約", 834), ("お知らせ", 833)]
        assert shown["areas"][1]["action"]["uri"].endswith(f"/{SECRETS['LIFF_ID']}/staff")
        check_image((tmp_path / "richmenu.png").read_bytes())

    def test_is_left_out_on_demand_and_without_booking(self, desk: Desk) -> None:
        without = json.loads(desk("--dry-run", "--without-staff", **self.BOOKING).out)
        off = json.loads(desk("--dry-run", FEATURES="events").out)
        assert without == off
        assert [area["action"]["label"] for area in off["areas"]] == ["出欠確認", "お知らせ"]


@pytest.mark.found("24.C14")
@pytest.mark.row("8.E.10")
class TestTheDoorOfTheShops:
    def test_is_the_third_area_where_shops_are_on(self, desk: Desk, tmp_path: Path) -> None:
        shown = json.loads(desk("--dry-run", FEATURES="events,shops", SHOP_SECRETS_KEYS=SHOP_KEYS).out)
        check_rich_menu(shown)
        labels = [(area["action"]["label"], area["bounds"]["width"]) for area in shown["areas"]]
        assert labels == [("出欠確認", 833), ("お知らせ", 834), ("本人確認", 833)]
        assert shown["areas"][2]["action"]["uri"].endswith(f"/{SECRETS['LIFF_ID']}/shops")
        check_image((tmp_path / "richmenu.png").read_bytes())

    def test_makes_four_in_two_rows_where_booking_is_on_too(self, desk: Desk, tmp_path: Path) -> None:
        both = {"FEATURES": "events,booking,shops", "SHOP_SECRETS_KEYS": SHOP_KEYS}
        shown = json.loads(desk("--dry-run", **both).out)
        check_rich_menu(shown)
        places = {area["action"]["label"]: area["bounds"] for area in shown["areas"]}
        assert places == {
            "出欠確認": {"x": 0, "y": 0, "width": 1250, "height": 560},
            "職員予約": {"x": 1250, "y": 0, "width": 1250, "height": 560},
            "本人確認": {"x": 0, "y": 560, "width": 1250, "height": 560},
            "お知らせ": {"x": 1250, "y": 560, "width": 1250, "height": 560},
        }
        picture_bytes = (tmp_path / "richmenu.png").read_bytes()
        check_image(picture_bytes)
        with Image.open(tmp_path / "richmenu.png") as image:
            assert image.size == (shown["size"]["width"], shown["size"]["height"]) == (2500, 1120)
        without = json.loads(desk("--dry-run", "--without-staff", **both).out)
        assert [area["action"]["label"] for area in without["areas"]] == ["出欠確認", "お知らせ", "本人確認"]

    def test_off_leaves_the_documented_menu_as_it_was(self, desk: Desk) -> None:
        """Byte by byte: a menu that did not change is not published again."""
        off = json.loads(desk("--dry-run", FEATURES="events").out)
        assert [area["bounds"] for area in off["areas"]] == [
            {"x": 0, "y": 0, "width": 1250, "height": 843},
            {"x": 1250, "y": 0, "width": 1250, "height": 843},
        ]
        assert off["size"] == {"width": 2500, "height": 843}
        booking = json.loads(desk("--dry-run", FEATURES="events,booking", SHOP_SECRETS_KEYS=SHOP_KEYS).out)
        assert [area["action"]["label"] for area in booking["areas"]] == ["出欠確認", "職員予約", "お知らせ"]


class TestRefusing:
    @pytest.mark.parametrize("name", ["NOTION_NEWS_URL", "LIFF_ID", "LINE_CHANNEL_ACCESS_TOKEN"])
    def test_a_missing_setting_is_named(self, desk: Desk, box: Box, name: str) -> None:
        refused = desk(**{name: ""})
        assert refused.code == 1
        assert name in refused.err
        assert box.world.rich_menus.list() == []

    @pytest.mark.parametrize("url", ["http://example.jp/", "notion", "javascript:alert(1)"])
    def test_an_address_that_is_none(self, desk: Desk, url: str) -> None:
        assert desk("--news-url", url).code == 1

    def test_no_typeface_is_told_with_its_cure(
        self, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(typeface, "PACKED", tmp_path / "none.ttf")
        monkeypatch.setattr(typeface, "SYSTEM", ())
        refused = desk()
        assert refused.code == 1
        assert "fonts-noto-cjk" in refused.err


class TestDryRun:
    def test_writes_the_picture_and_prints_the_json_and_sends_nothing(
        self, desk: Desk, box: Box, tmp_path: Path
    ) -> None:
        done = desk("--dry-run")
        assert done.code == 0
        check_rich_menu(json.loads(done.out))
        with Image.open(tmp_path / "richmenu.png") as image:
            assert image.size == (2500, 843)
        assert box.calls("/v2/bot") == []

    def test_writes_where_it_is_told(self, desk: Desk, tmp_path: Path) -> None:
        assert desk("--dry-run", "--out", "menu.png").code == 0
        assert (tmp_path / "menu.png").stat().st_size < 1024 * 1024
        refused = desk("--dry-run", "--out", "no/such/folder.png")
        assert refused.code == 1
        assert "Traceback" not in refused.err

    def test_needs_neither_token_nor_database(self, desk: Desk, tmp_path: Path) -> None:
        assert desk("--dry-run", LINE_CHANNEL_ACCESS_TOKEN="", DATA_DIR=str(tmp_path / "nowhere")).code == 0


class TestTypeface:
    def test_the_systems_own_stands_in(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        other = tmp_path / "other.ttf"
        other.write_bytes(b"typeface")
        monkeypatch.setattr(typeface, "PACKED", tmp_path / "none.ttf")
        monkeypatch.setattr(typeface, "SYSTEM", (tmp_path / "missing.ttc", other))
        assert typeface.japanese_typeface() == b"typeface"

    def test_the_packed_one_travels_with_its_licence(self) -> None:
        folder = Path(str(typeface.PACKED)).parent
        assert typeface.PACKED.is_file()
        assert "SIL Open Font License" in (folder / "OFL.txt").read_text(encoding="utf-8")
