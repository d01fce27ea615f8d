"""Finds a typeface with Japanese letters: the one that the web build puts into the package, or one of the system."""

from importlib.resources import as_file, files
from pathlib import Path

from tsudoi.commands.refusals import Refusal

PACKED = files("tsudoi").joinpath("static", "fonts", "NotoSansJP-Bold.ttf")
SYSTEM = tuple(
    Path(place)
    for place in (
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
        "/usr/share/fonts/noto-cjk/NotoSansCJK-Bold.ttc",
        "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Bold.ttc",
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/truetype/fonts-japanese-gothic.ttf",
        "/System/Library/Fonts/ヒラギノ角ゴシック W6.ttc",
        "C:/Windows/Fonts/YuGothB.ttc",
        "C:/Windows/Fonts/meiryob.ttc",
    )
)


def japanese_typeface() -> bytes:
    if PACKED.is_file():
        with as_file(PACKED) as packed:
            return packed.read_bytes()
    for place in SYSTEM:
        if place.is_file():
            return place.read_bytes()
    raise Refusal(
        "日本語フォントが見つからないため、メニューの画像を描けません。\n"
        "No Japanese typeface was found, so the menu's picture cannot be drawn.\n"
        "→ make web   (or: sudo apt-get install fonts-noto-cjk)"
    )
