"""What the menu looks like, and which menus at LINE are ours."""

import re
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tsudoi.commands.typeface import japanese_typeface
from tsudoi.line.rich_menu.rules.menu import IMAGE_BYTES, WIDTH, height, is_good_address, menu, places, plan
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

    @pytest.mark.found("24.C14")
    @pytest.mark.parametrize(("with_staff", "tall"), [(False, 843), (True, 1120)])
    def test_with_the_door_of_the_shops(self, with_staff: bool, tall: int) -> None:
        """Each button has its words: where none were painted, a button would be of one colour but for its icon."""
        made = picture(japanese_typeface(), with_staff=with_staff, with_shops=True)
        check_image(made)
        assert len(made) < IMAGE_BYTES / 4
        with Image.open(BytesIO(made)) as image:
            assert image.size == (2500, tall)
            rgb = image.convert("RGB")
        for place in places(4 if with_staff else 3):
            green = (0x1F, 0x5F, 0x57)
            ink = (0xFF, 0xFF, 0xFF) if place.x == place.y == 0 else green
            words = (
                (place.x + 460, place.y + 190, place.x + 1140, place.y + 370)
                if with_staff
                else (place.x + 110, 560, place.x + 730, 720)
            )
            cut = rgb.crop(words)
            share = sum(_near(colour, ink) * n for n, colour in cut.getcolors(1 << 20) or []) / (cut.width * cut.height)
            assert 0.15 < share < 0.6, place


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

    @pytest.mark.found("24.C14")
    @pytest.mark.row("8.E.10")
    def test_without_shops_is_what_it_was(self) -> None:
        """The names were taken before menus had a door for shops. Another name would publish the same menu again."""
        assert menu(LIFF, NEWS, b"png")["name"] == "tsudoi:ce3c662c05753eab"
        assert menu(LIFF, NEWS, b"png", f"{LIFF}staff")["name"] == "tsudoi:e2f4cde2c9baa144"

    @pytest.mark.found("24.C14")
    @pytest.mark.row("8.E.10")
    def test_customers_have_a_door_at_the_third_place(self) -> None:
        for staff, order in (
            (None, ["出欠確認", "お知らせ", "本人確認"]),
            (f"{LIFF}staff", ["出欠確認", "職員予約", "本人確認", "お知らせ"]),
        ):
            made = menu(LIFF, NEWS, b"png", staff, f"{LIFF}shops")
            check_rich_menu(made)
            assert [area["action"]["label"] for area in made["areas"]] == order
            assert made["areas"][2]["action"]["uri"] == f"{LIFF}shops"

    @pytest.mark.parametrize("buttons", [2, 3, 4])
    def test_every_point_of_the_picture_belongs_to_one_button(self, buttons: int) -> None:
        covered = [place.width * place.height for place in places(buttons)]
        assert sum(covered) == WIDTH * height(buttons)
        corners = {(place.x, place.y) for place in places(buttons)}
        assert len(corners) == buttons
        assert all(x + 1 <= WIDTH and y + 1 <= height(buttons) for x, y in corners)

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
