"""QR codes as the path of an SVG. Pure."""

import re

# Scanners need an empty border of four modules.
_BORDER = 4


def qr_path(text: str) -> tuple[int, str]:
    """The size in modules with the border, and the dark modules as the path of an SVG."""
    import segno  # noqa: PLC0415 (rarely needed)

    rows = [bytes(row) for row in segno.make_qr(text, error="m").matrix_iter(border=_BORDER)]
    # One rectangle for each run of dark modules.
    runs = (
        f"M{run.start()} {y}h{run.end() - run.start()}v1h-{run.end() - run.start()}z"
        for y, row in enumerate(rows)
        for run in re.finditer(rb"\x01+", row)
    )
    return len(rows), "".join(runs)
