"""What the numbers of a picture mean as colours, and how they come to the screen of a phone. Pure."""

from io import BytesIO

from PIL import Image, ImageCms

_SPACES = {"L": "GRAY", "RGB": "RGB", "CMYK": "CMYK"}


def usable(profile: bytes, mode: str) -> bytes:
    """The profile itself, or nothing when it is damaged or speaks of other channels than the picture has."""
    if not profile:
        return b""
    try:
        # Only the transform shows whether what it says can be followed.
        _to_screens(profile, mode)
        opened = ImageCms.getOpenProfile(BytesIO(profile))
    except ImageCms.PyCMSError:
        return b""
    return profile if opened.profile.xcolor_space.strip() == _SPACES[mode] else b""


def for_screens(image: Image.Image, profile: bytes) -> Image.Image:
    """In the colours that every screen takes for granted; by a usable profile, or else as well as it can be guessed."""
    if profile:
        return _to_screens(profile, image.mode).apply(image)
    return image.convert("RGB") if image.mode == "CMYK" else image


def _to_screens(profile: bytes, mode: str) -> ImageCms.ImageCmsTransform:
    return ImageCms.buildTransform(BytesIO(profile), ImageCms.createProfile("sRGB"), mode, "RGB")
