"""Small pictures of any size, as bytes."""

import struct
import zlib


def png(width: int, height: int, *, padding: int = 0) -> bytes:
    """One bit per pixel, all black: a big picture in few bytes. The padding makes it heavy."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\x00" * ((width + 7) // 8 + 1) * height)
    text = b"Comment\x00" + b"x" * padding
    chunks = [(b"IHDR", header), (b"tEXt", text), (b"IDAT", rows), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def jpeg(width: int, height: int) -> bytes:
    """The headers of a JPEG: an application segment, a fill byte, and the frame that says how large it is."""
    app = b"\xff\xe0" + struct.pack(">H", 16) + b"JFIF\x00" + bytes(9)
    frame = b"\xff\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\x00"
    return b"\xff\xd8" + app + frame + b"\xff\xd9"
