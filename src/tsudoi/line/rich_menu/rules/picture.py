"""The picture of the menu: two to four large buttons with little text, for people with weak eyesight. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from tsudoi.line.rich_menu.rules.icons import Pen, calendar, door, megaphone, shopfront
from tsudoi.line.rich_menu.rules.menu import ATTENDANCE, NEWS, SHOPS, STAFF, WIDTH, Place, height, labels, places

_PAPER, _SURFACE, _LINE, _GREEN, _CORAL = "#faf8f4", "#ffffff", "#e4dfd5", "#1f5f57", "#f4a88d"
# The picture is drawn twice as large and then shrunk, because Pillow's shapes have hard edges.
_FINER = 2
_MARGIN, _GAP, _CORNER = 40, 36, 56
_COLOURS = 128
_ICONS: dict[str, Callable[[Pen], None]] = {ATTENDANCE: calendar, STAFF: door, SHOPS: shopfront, NEWS: megaphone}


@dataclass(frozen=True, slots=True)
class _Look:
    """Where icon and text stand in a button, from its middle, and how large they are."""

    icon: tuple[float, float]
    icon_unit: float
    text: tuple[float, float]
    text_size: int


# By the number of buttons. In one row the icon stands above the text; in two beside it, so that the letters stay large.
_LOOKS = {
    2: _Look((0, -113.5), 3.5, (0, 216.5), 176),
    3: _Look((0, -113.5), 3.5, (0, 216.5), 158),
    4: _Look((-358, 0), 3.0, (178, 0), 168),
}


@dataclass(frozen=True, slots=True)
class _Button:
    """One of the buttons: its edges, text, icon and colours."""

    edges: tuple[float, float, float, float]
    text: str
    icon: Callable[[Pen], None]
    paper: str
    ink: str
    edge: str

    @property
    def middle(self) -> tuple[float, float]:
        left, top, right, bottom = self.edges
        return (left + right) / 2, (top + bottom) / 2


def _buttons(words: list[str]) -> list[_Button]:
    tall = height(len(words))
    buttons = []
    for place, text in zip(places(len(words)), words, strict=True):
        # The button that most people need stands out.
        colours = (_GREEN, _SURFACE, _GREEN) if text == ATTENDANCE else (_SURFACE, _GREEN, _LINE)
        buttons.append(_Button(_edges(place, tall), text, _ICONS[text], *colours))
    return buttons


def _edges(place: Place, tall: int) -> tuple[float, float, float, float]:
    """A margin at the edges of the picture, and a gap between two buttons."""
    right, bottom = place.x + place.width, place.y + place.height
    return (
        place.x + (_MARGIN if place.x == 0 else _GAP // 2),
        place.y + (_MARGIN if place.y == 0 else _GAP // 2),
        right - (_MARGIN if right == WIDTH else _GAP // 2),
        bottom - (_MARGIN if bottom == tall else _GAP // 2),
    )


def picture(font: bytes, *, with_staff: bool = False, with_shops: bool = False) -> bytes:
    """A PNG. `font` is a typeface file with Japanese letters. Few colours keep the file below LINE's size limit."""
    words = labels(with_staff=with_staff, with_shops=with_shops)
    look, tall = _LOOKS[len(words)], height(len(words))
    canvas = Image.new("RGB", (WIDTH * _FINER, tall * _FINER), _PAPER)
    draw = ImageDraw.Draw(canvas)
    typeface = ImageFont.truetype(BytesIO(font), look.text_size * _FINER)
    for button in _buttons(words):
        _paint(draw, button, look, typeface)
    small = canvas.resize((WIDTH, tall), Image.Resampling.LANCZOS).quantize(_COLOURS, dither=Image.Dither.NONE)
    out = BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


def _paint(draw: ImageDraw.ImageDraw, button: _Button, look: _Look, typeface: ImageFont.FreeTypeFont) -> None:
    corners = [edge * _FINER for edge in button.edges]
    draw.rounded_rectangle(corners, _CORNER * _FINER, fill=button.paper, outline=button.edge, width=4 * _FINER)
    x, y = button.middle
    icon = (x + look.icon[0]) * _FINER, (y + look.icon[1]) * _FINER
    button.icon(Pen(draw, icon, look.icon_unit * _FINER, button.ink, button.paper, _CORAL))
    text = (x + look.text[0]) * _FINER, (y + look.text[1]) * _FINER
    draw.text(text, button.text, button.ink, typeface, anchor="mm")
