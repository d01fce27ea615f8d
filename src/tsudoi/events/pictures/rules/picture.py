"""The two pictures that are kept: one in full size, and a small one for the chat. Pure.

Both are encoded again, so that only the visible content of the uploaded file remains.
"""

import re
import warnings
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import ExifTags, Image, ImageCms
from PIL.Image import Resampling, Transpose
from PIL.JpegImagePlugin import JpegImageFile, get_sampling

from tsudoi.events.pictures.errors import PictureRefused

LARGEST_UPLOAD = 5 * 1024 * 1024
# LINE's limits are "10 MB" and "1 MB"; the smaller reading of both is safe.
LARGEST_ORIGINAL, LARGEST_PREVIEW = 10_000_000, 1_000_000
PREVIEW_WIDTH = 1080
# Cameras and phones that say "24 megapixels" make up to 24.5 million.
MOST_PIXELS = 24 * 1024 * 1024
# The longer side divided by the shorter one; a strip of twenty screens is fine.
MOST_STRETCHED = 50
# A progressive picture is decoded once over its whole size for each scan, and a scan can be a few bytes short. Ten are
# usual; a preview inside the EXIF data or a second picture in the file adds some.
MOST_SCANS = 50
# A file can consist of a million empty segments. 5 MB of random bytes (a colour profile) look like 20,000 markers.
MOST_MARKERS = 50_000

_MARKER = re.compile(rb"\xff[\x02-\xcf\xd8-\xfe]")
# The colour space of a profile for each mode of a picture.
_SPACES = {"L": "GRAY", "RGB": "RGB", "CMYK": "CMYK"}
_UNREADABLE = (OSError, SyntaxError, ValueError)

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
_LYING = frozenset({_TURNS[5], _TURNS[6], _TURNS[7], _TURNS[8]})

SaveOptions = dict[str, Any]
_PREVIEW_TRIES: tuple[SaveOptions, ...] = (
    # Thin coloured letters on a leaflet need full colour resolution.
    {"quality": 85, "subsampling": _FULL_COLOUR, "optimize": True},
    *({"quality": quality, "subsampling": _HALF_COLOUR, "optimize": True} for quality in (80, 65, 50)),
)
_BEST: SaveOptions = {"quality": 95, "subsampling": _FULL_COLOUR}
_ORIGINAL_TRIES: tuple[SaveOptions, ...] = tuple(
    {"quality": quality, "subsampling": _HALF_COLOUR} for quality in (90, 75, 50)
)


@dataclass(frozen=True, slots=True)
class PreparedPicture:
    """The two files that are kept of an uploaded picture."""

    original: bytes
    preview: bytes


def prepare(data: bytes) -> PreparedPicture:
    """Raises `PictureRefused`. Takes up to about a second and 200 MB, so it must not run on the event loop."""
    if not data:
        raise PictureRefused("BROKEN")
    if not data.startswith(b"\xff\xd8\xff"):
        raise PictureRefused("NOT_JPEG")
    if len(data) > LARGEST_UPLOAD:
        raise PictureRefused("TOO_LARGE")
    # The decoder has no limits of its own for these two, and would be busy for minutes.
    if data.count(b"\xff\xda") > MOST_SCANS or len(_MARKER.findall(data)) > MOST_MARKERS:
        raise PictureRefused("BROKEN")
    return PreparedPicture(original=_original(data), preview=_preview(data))


def opened(data: bytes) -> JpegImageFile:
    """Reads the header alone and checks the size in it: a file of a few bytes can ask for gigabytes.

    `Image.open` would also try other formats, and the second picture that some cameras put into the file.
    """
    try:
        # Pillow warns about damaged EXIF data, which is no reason to refuse the picture.
        with warnings.catch_warnings(action="ignore"):
            image = JpegImageFile(BytesIO(data))
    except _UNREADABLE as unreadable:
        raise PictureRefused("BROKEN") from unreadable
    short, long = sorted(image.size)
    if short * long > MOST_PIXELS or long > short * MOST_STRETCHED:
        raise PictureRefused("TOO_MANY_PIXELS")
    return image


def _original(data: bytes) -> bytes:
    image = opened(data)
    turn = _turn(image)
    profile = _load(image)
    if image.mode == "CMYK":
        return _fitted(_turned(for_screens(image, profile), turn), LARGEST_ORIGINAL, (_BEST, *_ORIGINAL_TRIES))
    options = [{**tried, "icc_profile": profile} for tried in (_as_it_was(image, turn), *_ORIGINAL_TRIES)]
    return _fitted(_turned(image, turn), LARGEST_ORIGINAL, options)


def _preview(data: bytes) -> bytes:
    image = opened(data)
    turn = _turn(image)
    size = _preview_size(image.size, turn)
    # The decoder leaves out detail that would be thrown away: a quarter of the time and a tenth of the memory.
    image.draft(None, size)
    profile = _load(image)
    small = image if image.size == size else image.resize(size, Resampling.LANCZOS)
    return _fitted(_turned(for_screens(small, profile), turn), LARGEST_PREVIEW, _PREVIEW_TRIES)


def _load(image: JpegImageFile) -> bytes:
    """Returns the usable colour profile. Pillow would write the comments of the file again, so they are dropped."""
    try:
        image.load()
    except _UNREADABLE as unreadable:
        raise PictureRefused("BROKEN") from unreadable
    profile = image.info.get("icc_profile")
    image.info.clear()
    return usable(profile or b"", image.mode)


def _turn(image: JpegImageFile) -> Transpose | None:
    """How the picture has to be turned because of the way in which the camera was held."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return _TURNS.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # noqa: BLE001 (Pillow raises many kinds for damaged EXIF data)
        return None


def _preview_size(size: tuple[int, int], turn: Transpose | None) -> tuple[int, int]:
    """As the picture lies in the file, before it is turned. Never larger than it was."""
    lying = turn in _LYING
    width, height = reversed(size) if lying else size
    new_width = min(PREVIEW_WIDTH, width)
    new_height = max(1, round(height * new_width / width))
    return (new_height, new_width) if lying else (new_width, new_height)


def _turned(image: Image.Image, turn: Transpose | None) -> Image.Image:
    return image if turn is None else image.transpose(turn)


def _as_it_was(image: JpegImageFile, turn: Transpose | None) -> SaveOptions:
    """Save options with the quality of the uploaded file, so that it neither grows nor visibly loses quality.

    Each channel keeps its quantization table; when the picture is turned on its side, the table is transposed too.
    """
    lying = turn in _LYING
    try:
        tables = [image.quantization[channel[3]] for channel in image.layer]
    except LookupError as undefined:
        raise PictureRefused("BROKEN") from undefined
    steps = [[min(255, max(1, table[at % 8 * 8 + at // 8 if lying else at])) for at in range(64)] for table in tables]
    sampling = get_sampling(image)
    # Subsampling in one direction only cannot be written for a turned picture; neither can unusual kinds.
    kept = sampling in (_FULL_COLOUR, _HALF_COLOUR) or (sampling == 1 and not lying)
    return {"qtables": steps, "subsampling": sampling if kept else _FULL_COLOUR}


def _fitted(image: Image.Image, limit: int, tries: list[SaveOptions] | tuple[SaveOptions, ...]) -> bytes:
    """The first result that is small enough. If even the lowest quality is not, the picture is scaled down."""
    packed = b""
    for options in tries:
        packed = _packed(image, options)
        if len(packed) <= limit:
            return packed
    while len(packed) > limit:
        factor = min(0.9, (limit / len(packed)) ** 0.5)
        width, height = (max(1, int(side * factor)) for side in image.size)
        image = image.resize((width, height), Resampling.LANCZOS)
        packed = _packed(image, tries[-1])
    return packed


def _packed(image: Image.Image, options: SaveOptions) -> bytes:
    target = BytesIO()
    image.save(target, "JPEG", **options)
    return target.getvalue()


def usable(profile: bytes, mode: str) -> bytes:
    """The profile itself, or nothing when it is damaged or made for another colour mode than the picture's."""
    if not profile:
        return b""
    try:
        # Only building the transform shows whether the profile can be used.
        _to_screens(profile, mode)
        opened = ImageCms.getOpenProfile(BytesIO(profile))
    except ImageCms.PyCMSError:
        return b""
    return profile if opened.profile.xcolor_space.strip() == _SPACES[mode] else b""


def for_screens(image: Image.Image, profile: bytes) -> Image.Image:
    """The picture in sRGB: converted by a usable profile, or without one by Pillow's default."""
    if profile:
        return _to_screens(profile, image.mode).apply(image)
    return image.convert("RGB") if image.mode == "CMYK" else image


def _to_screens(profile: bytes, mode: str) -> ImageCms.ImageCmsTransform:
    return ImageCms.buildTransform(BytesIO(profile), ImageCms.createProfile("sRGB"), mode, "RGB")
