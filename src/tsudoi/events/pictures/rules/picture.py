"""The two pictures that are kept: one in full size, and a small one for the chat. Pure.

Both are packed anew, so that nothing of the file that was sent remains but what can be seen.
"""

from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image
from PIL.Image import Resampling, Transpose
from PIL.JpegImagePlugin import JpegImageFile, get_sampling

from tsudoi.events.pictures.errors import PictureRefused
from tsudoi.events.pictures.rules import colours, container
from tsudoi.events.pictures.rules.container import Jpeg

LARGEST_UPLOAD = 5 * 1024 * 1024
# LINE's limits are "10 MB" and "1 MB"; the smaller reading of both is safe.
LARGEST_ORIGINAL, LARGEST_PREVIEW = 10_000_000, 1_000_000
PREVIEW_WIDTH = 1080

_FULL_COLOUR, _HALF_COLOUR = 0, 2
_TURNS = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_270,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_90,
}
_LYING = frozenset({5, 6, 7, 8})

Options = dict[str, Any]
_PREVIEW_TRIES: tuple[Options, ...] = (
    # Thin coloured letters on a leaflet need the colour in full.
    {"quality": 85, "subsampling": _FULL_COLOUR, "optimize": True},
    *({"quality": quality, "subsampling": _HALF_COLOUR, "optimize": True} for quality in (80, 65, 50)),
)
_BEST: Options = {"quality": 95, "subsampling": _FULL_COLOUR}
_ORIGINAL_TRIES: tuple[Options, ...] = tuple(
    {"quality": quality, "subsampling": _HALF_COLOUR} for quality in (90, 75, 50)
)


@dataclass(frozen=True, slots=True)
class Prepared:
    original: bytes
    preview: bytes


def prepare(data: bytes) -> Prepared:
    """Raises `PictureRefused`. Takes up to about a second and 200 MB: not for the event loop."""
    if not data:
        raise PictureRefused("BROKEN")
    if not container.looks_like_jpeg(data):
        raise PictureRefused("NOT_JPEG")
    if len(data) > LARGEST_UPLOAD:
        raise PictureRefused("TOO_LARGE")
    jpeg = container.read(data)
    return Prepared(original=_original(jpeg), preview=_preview(jpeg))


def _original(jpeg: Jpeg) -> bytes:
    image = _opened(jpeg)
    _load(image)
    profile = colours.usable(jpeg.profile, image.mode)
    if image.mode == "CMYK":
        return _fitted(_turned(colours.for_screens(image, profile), jpeg), LARGEST_ORIGINAL, (_BEST, *_ORIGINAL_TRIES))
    options = [{**tried, "icc_profile": profile} for tried in (_as_it_was(image, jpeg), *_ORIGINAL_TRIES)]
    return _fitted(_turned(image, jpeg), LARGEST_ORIGINAL, options)


def _preview(jpeg: Jpeg) -> bytes:
    image = _opened(jpeg)
    size = _preview_size(jpeg)
    # The decoder leaves out detail that would be thrown away: a quarter of the time and a tenth of the memory.
    image.draft(None, size)
    _load(image)
    profile = colours.usable(jpeg.profile, image.mode)
    small = image if image.size == size else image.resize(size, Resampling.LANCZOS)
    return _fitted(_turned(colours.for_screens(small, profile), jpeg), LARGEST_PREVIEW, _PREVIEW_TRIES)


def _opened(jpeg: Jpeg) -> JpegImageFile:
    """Not by `Image.open`, which would look for other formats and warn about what is none of its business."""
    try:
        return JpegImageFile(BytesIO(jpeg.bare))
    except (OSError, SyntaxError, ValueError) as unreadable:
        raise PictureRefused("BROKEN") from unreadable


def _load(image: JpegImageFile) -> None:
    try:
        image.load()
    except (OSError, SyntaxError, ValueError) as unreadable:
        raise PictureRefused("BROKEN") from unreadable


def _preview_size(jpeg: Jpeg) -> tuple[int, int]:
    """As it lies in the file, before it is turned. Never larger than it was."""
    lying = jpeg.orientation in _LYING
    width, height = (jpeg.height, jpeg.width) if lying else (jpeg.width, jpeg.height)
    new_width = min(PREVIEW_WIDTH, width)
    new_height = max(1, round(height * new_width / width))
    return (new_height, new_width) if lying else (new_width, new_height)


def _turned(image: Image.Image, jpeg: Jpeg) -> Image.Image:
    turn = _TURNS.get(jpeg.orientation)
    return image if turn is None else image.transpose(turn)


def _as_it_was(image: JpegImageFile, jpeg: Jpeg) -> Options:
    """Packed with the fineness with which it came, so that it neither grows nor loses what the eye could miss.

    Each channel by the table that it had; a picture that is turned on its side has its tables turned too.
    """
    lying = jpeg.orientation in _LYING
    try:
        tables = [image.quantization[channel[3]] for channel in image.layer]
    except LookupError as undefined:
        raise PictureRefused("BROKEN") from undefined
    steps = [[min(255, max(1, table[_across(at) if lying else at])) for at in range(64)] for table in tables]
    sampling = get_sampling(image)
    # Half the colour in one direction only cannot be written turned; neither can anything unusual.
    kept = sampling in (_FULL_COLOUR, _HALF_COLOUR) or (sampling == 1 and not lying)
    return {"qtables": steps, "subsampling": sampling if kept else _FULL_COLOUR}


def _across(at: int) -> int:
    return at % 8 * 8 + at // 8


def _fitted(image: Image.Image, limit: int, tries: list[Options] | tuple[Options, ...]) -> bytes:
    """The first that is small enough. If even the coarsest is not, the picture itself has to become smaller."""
    packed = b""
    for options in tries:
        packed = _packed(image, options)
        if len(packed) <= limit:
            return packed
    while len(packed) > limit:
        image = _smaller(image, min(0.9, (limit / len(packed)) ** 0.5))
        packed = _packed(image, tries[-1])
    return packed


def _smaller(image: Image.Image, factor: float) -> Image.Image:
    width, height = (max(1, int(side * factor)) for side in image.size)
    return image.resize((width, height), Resampling.LANCZOS)


def _packed(image: Image.Image, options: Options) -> bytes:
    target = BytesIO()
    image.save(target, "JPEG", **options)
    return target.getvalue()
