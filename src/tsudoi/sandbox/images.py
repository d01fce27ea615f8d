"""Reads from the bytes of an uploaded picture what it is, because a name or a header can say anything."""

import struct
from typing import NamedTuple

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
# The markers that carry a frame's size: all start-of-frame ones, without DHT, JPG and DAC in between.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})


class Picture(NamedTuple):
    """The format and the size of a picture."""

    content_type: str
    width: int
    height: int


def read_picture(data: bytes) -> Picture | None:
    if data.startswith(_PNG) and data[12:16] == b"IHDR" and len(data) >= 24:  # noqa: PLR2004 - up to the height.
        return Picture("image/png", *struct.unpack(">II", data[16:24]))
    if data.startswith(_JPEG):
        return _read_jpeg(data)
    return None


def _read_jpeg(data: bytes) -> Picture | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:  # noqa: PLR2004 - each segment starts with this byte.
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return Picture("image/jpeg", width, height)
        if marker == 0xFF:  # noqa: PLR2004 - a fill byte before the real marker.
            at += 1
        else:
            at += 2 if marker in _JPEG_BARE else 2 + int.from_bytes(data[at + 2 : at + 4])
    return None
