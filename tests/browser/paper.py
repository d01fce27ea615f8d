"""What comes out of the printer: the sheets of a PDF, with the places of their letters.

It reads what Chromium writes, and no other PDF: there every object stands alone, and each font has a list of letters.
"""

import re
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Page

A4 = (595, 842)
_OBJECT = re.compile(rb"^(\d+) 0 obj\n(.*?)endobj", re.MULTILINE | re.DOTALL)
_STEP = re.compile(rb"/(F\d+) [\d.-]+ Tf|([\d. -]+) (Tm|Td|cm)\b|<([0-9A-Fa-f]*)> Tj|(?<![\w/])([qQ])\s")
_Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Letters:
    """What Chromium wrote in one go, and where it begins, in points from the upper left corner of the sheet."""

    text: str
    x: float
    y: float


@dataclass(frozen=True)
class Sheet:
    """One page of paper."""

    width: float
    height: float
    letters: list[Letters]

    @property
    def text(self) -> str:
        """Without spaces, because those between words are places and not letters."""
        return plain("".join(one.text for one in self.letters))

    @property
    def size(self) -> tuple[int, int]:
        return round(self.width), round(self.height)


@dataclass(frozen=True)
class _Font:
    letters: dict[int, str]
    # How many hexadecimal digits stand for one letter.
    digits: int

    def read(self, glyphs: bytes) -> str:
        codes = (int(glyphs[at : at + self.digits], 16) for at in range(0, len(glyphs), self.digits))
        return "".join(self.letters.get(code, "�") for code in codes)


def plain(text: str) -> str:
    """As two texts are compared: some fonts draw a character with the glyph of the radical that looks the same."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def printed(page: Page) -> list[Sheet]:
    """What Ctrl+P brings, on the paper that the page asks for."""
    return sheets(page.pdf(prefer_css_page_size=True, format="A4"))


def sheets(pdf: bytes) -> list[Sheet]:
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    return [_sheet(objects, body) for body in objects.values() if re.search(rb"/Type /Page\b", body)]


def _sheet(objects: dict[int, bytes], page: bytes) -> Sheet:
    left, top, right, bottom = (float(one) for one in _in(rb"/MediaBox \[([\d. -]+)\]", page).split())
    fonts = {name: _font(objects, int(number)) for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", page)}
    drawing = _stream(objects[int(_in(rb"/Contents (\d+) 0 R", page))])
    return Sheet(right - left, bottom - top, list(_letters(drawing, fonts, bottom)))


def _in(body_part: bytes, body: bytes) -> bytes:
    match = re.search(body_part, body)
    assert match is not None, f"{body_part!r} does not stand in {body[:200]!r}"
    return match.group(1)


def _stream(body: bytes) -> bytes:
    data = body[body.index(b"stream\n") + 7 : body.rindex(b"\nendstream")]
    return zlib.decompress(data) if b"/FlateDecode" in body else data


def _font(objects: dict[int, bytes], number: int) -> _Font:
    listed = _stream(objects[int(_in(rb"/ToUnicode (\d+) 0 R", objects[number]))]).decode()
    letters: dict[int, str] = {}
    for block in re.findall(r"beginbfchar(.*?)endbfchar", listed, re.DOTALL):
        for glyph, text in re.findall(r"<(\w+)> <(\w+)>", block):
            letters[int(glyph, 16)] = bytes.fromhex(text).decode("utf-16-be")
    for block in re.findall(r"beginbfrange(.*?)endbfrange", listed, re.DOTALL):
        for first, last, text in re.findall(r"<(\w+)> <(\w+)> <(\w+)>", block):
            for place, glyph in enumerate(range(int(first, 16), int(last, 16) + 1)):
                letters[glyph] = chr(int(text, 16) + place)
    return _Font(letters, digits=4 if "<0000> <FFFF>" in listed else 2)


def _letters(drawing: bytes, fonts: dict[bytes, _Font], height: float) -> Iterator[Letters]:
    kept: list[_Matrix] = []
    here: _Matrix = (1, 0, 0, 1, 0, 0)
    line = here
    font = _Font({}, 4)
    for name, numbers, operator, glyphs, stack in _STEP.findall(drawing):
        if name:
            font = fonts[name]
        elif operator == b"cm":
            here = _times(_matrix(numbers), here)
        elif operator == b"Tm":
            line = _matrix(numbers)
        elif operator == b"Td":
            x, y = (float(one) for one in numbers.split()[-2:])
            line = _times((1, 0, 0, 1, x, y), line)
        elif stack == b"q":
            kept.append(here)
        elif stack == b"Q":
            here = kept.pop()
        else:
            *_, x, y = _times(line, here)
            yield Letters(font.read(glyphs), x, height - y)


def _matrix(numbers: bytes) -> _Matrix:
    a, b, c, d, e, f = (float(one) for one in numbers.split()[-6:])
    return a, b, c, d, e, f


def _times(one: _Matrix, other: _Matrix) -> _Matrix:
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u
