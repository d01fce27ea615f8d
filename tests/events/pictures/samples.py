"""JPEG files as cameras, scanners and attackers make them."""

import random
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw

RED, GREEN, BLUE, YELLOW = (220, 30, 30), (30, 160, 30), (30, 30, 220), (230, 220, 30)


def packed(image: Image.Image, **options: Any) -> bytes:
    target = BytesIO()
    image.save(target, options.pop("format", "JPEG"), **{"quality": 90, **options})
    return target.getvalue()


def unpacked(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    image.load()
    return image


def corners(width: int = 320, height: int = 192, mode: str = "RGB") -> Image.Image:
    """Red, green, blue and yellow quarters: every way of turning it looks different."""
    image = Image.new("RGB", (width, height), RED)
    draw = ImageDraw.Draw(image)
    draw.rectangle((width // 2, 0, width, height // 2), GREEN)
    draw.rectangle((0, height // 2, width // 2, height), BLUE)
    draw.rectangle((width // 2, height // 2, width, height), YELLOW)
    return image.convert(mode)


def photo(width: int, height: int) -> Image.Image:
    """Soft shapes, as in a photograph."""
    small = Image.frombytes("RGB", (16, 12), random.Random(1).randbytes(16 * 12 * 3))
    return small.resize((width, height), Image.Resampling.BICUBIC)


def noise(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """The worst that there is to pack."""
    pixels = random.Random(2).randbytes(width * height * len(mode))
    return Image.frombytes(mode, (width, height), pixels)


def exif(orientation: int, **more: str) -> bytes:
    block = Image.Exif()
    block[0x0112] = orientation
    for name, number in (("make", 0x010F), ("artist", 0x013B)):
        if name in more:
            block[number] = more[name]
    block.get_ifd(0x8825).update({1: "N", 2: (35.0, 41.0, 22.5), 3: "E", 4: (139.0, 41.0, 30.25), 29: "2025:08:16"})
    return block.tobytes()


def part(code: int, body: bytes) -> bytes:
    return bytes((0xFF, code)) + (len(body) + 2).to_bytes(2, "big") + body


def with_part(jpeg: bytes, code: int, body: bytes) -> bytes:
    return jpeg[:2] + part(code, body) + jpeg[2:]


def codes(jpeg: bytes) -> list[int]:
    """The marks of a file up to its first scan."""
    found, position = [], 2
    while jpeg[position + 1] != 0xDA:
        found.append(jpeg[position + 1])
        position += 2 + int.from_bytes(jpeg[position + 2 : position + 4], "big")
    return found


def sized_by_header(jpeg: bytes, width: int, height: int) -> bytes:
    """The same few bytes, claiming to be a picture of another size."""
    at = jpeg.index(b"\xff\xc0") + 5
    return jpeg[:at] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + jpeg[at + 4 :]


def near(left: Any, right: Any, by: int = 12) -> bool:
    return all(abs(a - b) <= by for a, b in zip(left, right, strict=True))


def grown_to(jpeg: bytes, size: int) -> bytes:
    """Exactly this many bytes, by comments that no program shows."""
    missing = size - len(jpeg)
    while missing:
        body = min(missing - 4, 60_000)
        body = body if missing - 4 - body not in range(1, 5) else body - 10
        jpeg, missing = with_part(jpeg, 0xFE, b"x" * body), missing - 4 - body
    assert len(jpeg) == size
    return jpeg
