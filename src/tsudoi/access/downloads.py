"""Sends an exported file to a browser."""

from collections.abc import Iterator
from typing import IO
from urllib.parse import quote

from starlette.responses import StreamingResponse

from tsudoi.core.export_file import ExportFile

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_CHUNK_SIZE = 65_536


def download(export_file: ExportFile, names: tuple[str, str], media_type: str) -> StreamingResponse:
    """`names`: the file name for people, and one in ASCII for programs that cannot read it."""
    for_people, plain = names
    headers = {
        "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(for_people, safe='')}",
        "Content-Length": str(export_file.size),
        "Cache-Control": "no-store",
    }
    return StreamingResponse(_chunks(export_file.file), headers=headers, media_type=media_type)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK_SIZE):
            yield chunk
