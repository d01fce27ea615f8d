"""Colour profiles: which are usable, and the conversion to the colours of screens (sRGB). Pure."""

from io import BytesIO

from PIL import Image, ImageCms

_SPACES = {"L": "GRAY", "RGB": "RGB", "CMYK": "CMYK"}


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
