"""The picture of the menu: two or three large buttons with little text, for people with weak eyesight. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from tsudoi.line.rich_menu.rules.icons import Pen, calendar, door, megaphone
from tsudoi.line.rich_menu.rules.menu import ATTENDANCE, HEIGHT, NEWS, STAFF, WIDTH, spans

_PAPER, _SURFACE, _LINE, _GREEN, _CORAL = "#faf8f4", "#ffffff", "#e4dfd5", "#1f5f57", "#f4a88d"
# The picture is drawn twice as large and then shrunk, because Pillow's shapes have hard edges.
_FINER = 2
_MARGIN, _GAP, _CORNER = 40, 36, 56
_ICON_MIDDLE, _ICON_UNIT = 308, 3.5
_TEXT_MIDDLE, _TEXT_SIZE, _SMALLER_TEXT_SIZE = 638, 176, 158
_COLOURS = 128


@dataclass(frozen=True, slots=True)
class _Button:
    """One of the buttons: its place, text, icon and colours."""

    left: int
    right: int
    text: str
    icon: Callable[[Pen], None]
    paper: str
    ink: str
    edge: str


def _buttons(*, with_staff: bool) -> list[_Button]:
    words = [(ATTENDANCE, calendar), (STAFF, door), (NEWS, megaphone)] if with_staff else _TWO
    places = spans(len(words))
    buttons = []
    for (x, width), (text, icon) in zip(places, words, strict=True):
        left = x + (_MARGIN if x == 0 else _GAP // 2)
        right = x + width - (_MARGIN if x + width == WIDTH else _GAP // 2)
        # The button that most people need stands out.
        colours = (_GREEN, _SURFACE, _GREEN) if text == ATTENDANCE else (_SURFACE, _GREEN, _LINE)
        buttons.append(_Button(left, right, text, icon, *colours))
    return buttons


_TWO = [(ATTENDANCE, calendar), (NEWS, megaphone)]


def picture(font: bytes, *, with_staff: bool = False) -> bytes:
    """A PNG. `font` is a typeface file with Japanese letters. Few colours keep the file below LINE's size limit."""
    canvas = Image.new("RGB", (WIDTH * _FINER, HEIGHT * _FINER), _PAPER)
    draw = ImageDraw.Draw(canvas)
    typeface = ImageFont.truetype(BytesIO(font), (_SMALLER_TEXT_SIZE if with_staff else _TEXT_SIZE) * _FINER)
    for button in _buttons(with_staff=with_staff):
        _paint(draw, button, typeface)
    small = canvas.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).quantize(_COLOURS, dither=Image.Dither.NONE)
    out = BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


def _paint(draw: ImageDraw.ImageDraw, button: _Button, typeface: ImageFont.FreeTypeFont) -> None:
    corners = [v * _FINER for v in (button.left, _MARGIN, button.right, HEIGHT - _MARGIN)]
    draw.rounded_rectangle(corners, _CORNER * _FINER, fill=button.paper, outline=button.edge, width=4 * _FINER)
    x = (button.left + button.right) / 2 * _FINER
    button.icon(Pen(draw, (x, _ICON_MIDDLE * _FINER), _ICON_UNIT * _FINER, button.ink, button.paper, _CORAL))
    draw.text((x, _TEXT_MIDDLE * _FINER), button.text, button.ink, typeface, anchor="mm")
