"""What the menu looks like, and which menus at LINE are ours."""

import re
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tsudoi.commands.typeface import japanese_typeface
from tsudoi.line.rich_menu.rules.menu import IMAGE_BYTES, is_good_address, menu, plan
from tsudoi.line.rich_menu.rules.picture import picture
from tsudoi.sandbox.rich_menus import check_image, check_rich_menu

LIFF, NEWS = "https://liff.line.me/1234567890-AbcdEfgh/", "https://www.notion.so/tsudoi-news"
OURS, OLD = "tsudoi:0123456789abcdef", "tsudoi:fedcba9876543210"


@pytest.fixture(scope="module")
def png() -> bytes:
    return picture(japanese_typeface())


class TestPicture:
    def test_keeps_to_the_limits_of_line(self, png: bytes) -> None:
        with Image.open(BytesIO(png)) as image:
            image.load()
            width, height = image.size
            assert (image.format, image.size) == ("PNG", (2500, 843))
        assert 800 <= width <= 2500
        assert height >= 250
        assert width / height >= 1.45
        assert len(png) < IMAGE_BYTES / 4
        check_image(png)

    def test_is_the_same_each_time(self, png: bytes) -> None:
        assert picture(japanese_typeface()) == png

    def test_has_two_buttons_with_words_on_them(self, png: bytes) -> None:
        """The left one light on green, the right one green on white; the letters fill their share of the row."""
        with Image.open(BytesIO(png)) as image:
            rgb = image.convert("RGB")
        green, white = (0x1F, 0x5F, 0x57), (0xFF, 0xFF, 0xFF)
        assert _near(rgb.getpixel((100, 420)), green)
        assert _near(rgb.getpixel((1400, 420)), white)
        for left, ink in ((40, white), (1268, green)):
            words = rgb.crop((left + 150, 550, left + 1050, 730))
            share = sum(_near(colour, ink) * n for n, colour in words.getcolors(1 << 20) or []) / (900 * 180)
            assert 0.1 < share < 0.6


def _near(found: Any, wanted: tuple[int, int, int]) -> bool:
    return all(abs(a - b) <= 6 for a, b in zip(found, wanted, strict=True))


class TestMenu:
    def test_is_taken_by_line_as_it_is(self, png: bytes) -> None:
        made = menu(LIFF, NEWS, png)
        check_rich_menu(made)
        assert [area["action"] for area in made["areas"]] == [
            {"type": "uri", "label": "出欠確認", "uri": LIFF},
            {"type": "uri", "label": "お知らせ", "uri": NEWS},
        ]
        left, right = (area["bounds"] for area in made["areas"])
        assert (left["x"], left["x"] + left["width"], right["x"] + right["width"]) == (0, right["x"], 2500)
        assert len(made["chatBarText"]) <= 14

    @pytest.mark.found("24.C5")
    @pytest.mark.row("6.2.1", "6.2.2")
    def test_staff_have_a_door_in_the_middle(self) -> None:
        made = menu(LIFF, NEWS, b"png", f"{LIFF}staff")
        check_rich_menu(made)
        found = [(area["action"]["label"], area["bounds"]["x"], area["bounds"]["width"]) for area in made["areas"]]
        assert found == [("出欠確認", 0, 833), ("職員予約", 833, 834), ("お知らせ", 1667, 833)]
        assert made["areas"][1]["action"]["uri"] == f"{LIFF}staff"
        assert [area["bounds"]["width"] for area in menu(LIFF, NEWS, b"png")["areas"]] == [1250, 1250]

    def test_is_named_after_everything_in_it(self) -> None:
        names = {
            menu(liff, news, png)["name"] for liff in (LIFF, NEWS) for news in (LIFF, NEWS) for png in (b"a", b"b")
        }
        assert len(names) == 8
        assert all(re.fullmatch("tsudoi:[0-9a-f]{16}", name) for name in names)
        assert menu(LIFF, NEWS, b"a") == menu(LIFF, NEWS, b"a")


class TestIsGoodAddress:
    @pytest.mark.parametrize("url", ["https://www.notion.so/x", "https://example.jp/お知らせ?a=b#c"])
    def test_https(self, url: str) -> None:
        assert is_good_address(url)

    @pytest.mark.parametrize(
        "url",
        ["", "http://example.jp/", "javascript:alert(1)", "https://", "notion.so", "https://a\nb/", "https://[x/"],
    )
    def test_nothing_else(self, url: str) -> None:
        assert not is_good_address(url)

    def test_as_long_as_line_takes(self) -> None:
        assert is_good_address("https://a.jp/" + "x" * 987)
        assert not is_good_address("https://a.jp/" + "x" * 988)


class TestPlan:
    def test_the_first_time(self) -> None:
        assert plan(OURS, [("f", "基本メニュー")], "f") == plan(OURS, [], None)
        assert not plan(OURS, [], None).shown

    def test_when_it_is_up(self) -> None:
        found = plan(OURS, [("old", OLD), ("now", OURS), ("twin", OURS)], "now")
        assert (found.shown, found.leftovers) == (True, ("old", "twin"))

    def test_a_half_made_one_goes(self) -> None:
        found = plan(OURS, [("half", OURS)], None)
        assert (found.shown, found.leftovers) == (False, ("half",))

    @given(st.lists(st.tuples(st.uuids().map(str), st.text(max_size=30) | st.sampled_from([OURS, OLD]))), st.data())
    def test_never_takes_what_is_not_ours(self, existing: list[tuple[str, str]], data: st.DataObject) -> None:
        default = data.draw(st.sampled_from([None, *(menu_id for menu_id, _ in existing)]))
        found = plan(OURS, existing, default)
        named = dict(existing)
        assert all(re.fullmatch("tsudoi:[0-9a-f]{16}", named[menu_id]) for menu_id in found.leftovers)
        assert not (found.shown and default in found.leftovers)
