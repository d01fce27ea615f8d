"""Reads a JPEG file part by part and keeps only what makes the picture, before any decoder sees it. Pure.

What a decoder never gets cannot trouble it: no EXIF, no second picture of a camera, nothing after the end.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

from tsudoi.events.pictures.errors import PictureRefused

# Cameras and phones that say "24 megapixels" make up to 24.5 million.
MOST_PIXELS = 24 * 1024 * 1024
# The longer side against the shorter one; a strip of twenty screens is fine.
MOST_STRETCHED = 50
# Each scan of a progressive picture is a walk over all of it, and can be a few bytes short; ten are usual.
MOST_SCANS = 50
MOST_PARTS = 2000

_START, _END, _SCAN, _EXIF, _COLOURS, _JFIF, _ADOBE = 0xD8, 0xD9, 0xDA, 0xE1, 0xE2, 0xE0, 0xEE
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_TABLES = frozenset({0xC4, 0xCC, 0xDB, 0xDD})
# Inside the packed pixels, FF is followed by 00 or by one of the restart marks D0 to D7, and by nothing else.
_MARK = re.compile(rb"\xff[\x02-\xcf\xd8-\xfe]")
_ICC = b"ICC_PROFILE\0"
_ICC_HEAD = len(_ICC) + 2
_FRAME_HEAD, _ADOBE_SIZE = 6, 12


@dataclass(slots=True)
class Jpeg:
    """The bare picture, how it has to be turned, and the profile that says what its colours mean."""

    bare: bytes = b""
    width: int = 0
    height: int = 0
    orientation: int = 1
    profile: bytes = b""
    kept: list[bytes] = field(default_factory=lambda: [b"\xff\xd8"])
    profile_parts: list[bytes] = field(default_factory=list)
    scans: int = 0


def looks_like_jpeg(data: bytes) -> bool:
    return data[:3] == b"\xff\xd8\xff"


def read(data: bytes) -> Jpeg:
    """Up to the end of the first picture. Refuses what has no end, and what is too big to be unpacked."""
    jpeg, position = Jpeg(), 2
    for _ in range(MOST_PARTS):
        mark = _MARK.search(data, position)
        if mark is None:
            break
        if jpeg.scans:
            jpeg.kept.append(data[position : mark.start()])
        code = data[mark.start() + 1]
        if code == _END:
            return _finished(jpeg)
        position = mark.end() + _length(data, mark.end())
        _take(jpeg, code, data[mark.start() : position])
    raise PictureRefused("BROKEN")


def _length(data: bytes, position: int) -> int:
    """The two bytes of the length count themselves."""
    length = int.from_bytes(data[position : position + 2], "big")
    if length < 2 or position + length > len(data):  # noqa: PLR2004 (its own two bytes)
        raise PictureRefused("BROKEN")
    return length


def _take(jpeg: Jpeg, code: int, part: bytes) -> None:
    body = part[4:]
    if code in _FRAMES:
        _measure(jpeg, body)
    elif code == _SCAN:
        _count_scan(jpeg)
    elif code == _EXIF and body.startswith(b"Exif\0\0") and jpeg.orientation == 1:
        jpeg.orientation = orientation(body[6:])
    elif code == _COLOURS and body.startswith(_ICC):
        jpeg.profile_parts.append(body)
    if code in _FRAMES or code in _TABLES or code == _SCAN or _says_what_channels_mean(code, body):
        jpeg.kept.append(part)


def _measure(jpeg: Jpeg, body: bytes) -> None:
    """From the header alone: a picture of a few bytes can ask for gigabytes."""
    if jpeg.width or len(body) < _FRAME_HEAD:
        raise PictureRefused("BROKEN")
    jpeg.height, jpeg.width = int.from_bytes(body[1:3], "big"), int.from_bytes(body[3:5], "big")
    short, long = sorted((jpeg.width, jpeg.height))
    if short == 0:
        raise PictureRefused("BROKEN")
    if short * long > MOST_PIXELS or long > short * MOST_STRETCHED:
        raise PictureRefused("TOO_MANY_PIXELS")


def _count_scan(jpeg: Jpeg) -> None:
    jpeg.scans += 1
    if not jpeg.width or jpeg.scans > MOST_SCANS:
        raise PictureRefused("BROKEN")


def _says_what_channels_mean(code: int, body: bytes) -> bool:
    if code == _ADOBE:
        return body.startswith(b"Adobe") and len(body) >= _ADOBE_SIZE
    return code == _JFIF and body.startswith(b"JFIF\0") and len(body) >= _ADOBE_SIZE


def _finished(jpeg: Jpeg) -> Jpeg:
    if not jpeg.scans:
        raise PictureRefused("BROKEN")
    jpeg.bare = b"".join([*jpeg.kept, b"\xff\xd9"])
    jpeg.profile = b"".join(part[_ICC_HEAD:] for part in sorted(jpeg.profile_parts))
    return jpeg


def orientation(tiff: bytes) -> int:
    """How the camera was held: 1 (upright) to 8, from the one entry of the EXIF block that matters here."""
    order: Literal["little", "big"] = "little" if tiff[:2] == b"II" else "big"

    def number(start: int, size: int) -> int:
        return int.from_bytes(tiff[start : start + size], order)

    directory = number(4, 4)
    for entry in range(directory + 2, min(directory + 2 + 12 * number(directory, 2), len(tiff)), 12):
        if number(entry, 2) == 0x0112:  # noqa: PLR2004 (the number of the entry in the standard)
            found = number(entry + 8, 2 if number(entry + 2, 2) == 3 else 4)  # noqa: PLR2004 (type "short")
            return found if 1 <= found <= 8 else 1  # noqa: PLR2004 (the eight ways to hold a camera)
    return 1
