"""Reads the form that creates an event, after the caller is authenticated."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass

import orjson
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from tsudoi.core.errors import Detail, InvalidInput, UnsupportedMediaType
from tsudoi.events.pictures.rules.picture import LARGEST_UPLOAD
from tsudoi.events.planning.rules.draft import FIELDS, LONGEST_IDS
from tsudoi.events.planning.schemas import FORM_FIELDS

# More than the form has, so that unknown fields can be named.
_MOST_FIELDS, _MOST_FILES = 50, 10
# Starlette decodes with any charset that the header names, some of which give text that cannot be stored.
_UTF8 = re.compile(r'[^;]*;(?:.*;)?\s*charset="?utf-8"?\s*(?:;.*)?')


@dataclass(frozen=True, slots=True)
class EventForm:
    """The fields of the form as they were sent. `faults`: faults of the form itself, before the values are checked."""

    fields: dict[str, object]
    image: bytes | None
    faults: tuple[Detail, ...] = ()

    def content(self) -> bytes:
        """The same bytes for the same form, because a browser uses a new random boundary for each request."""
        digest = hashlib.sha256(self.image).hexdigest() if self.image is not None else None
        faults = [(fault.field, fault.reason) for fault in self.faults]
        return orjson.dumps([self.fields, digest, faults], option=orjson.OPT_SORT_KEYS)


class _FormParser(MultiPartParser):
    """Reads the whole form where the library would stop at the first fault, so that all faults are named at once."""

    def __init__(self, request: Request) -> None:
        limits = {"max_files": _MOST_FILES, "max_fields": _MOST_FIELDS, "max_part_size": LONGEST_IDS}
        super().__init__(request.headers, request.stream(), **limits)
        self.faults: dict[str, str] = {}
        self._size = 0

    def on_part_begin(self) -> None:
        self._size = 0
        super().on_part_begin()

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Keeps only as much of a field that is too long as is needed to see that."""
        is_text = self._current_part.file is None
        room = (self.max_part_size if is_text else LARGEST_UPLOAD + 1) - self._size
        self._size += end - start
        if is_text and end - start > room:
            self.faults[self._current_part.field_name] = "TOO_LONG"
        super().on_part_data(data, start, min(end, start + max(room, 0)))

    def on_part_end(self) -> None:
        part = self._current_part
        if part.file is None and not _is_utf8(part.data):
            # Starlette would decode it as Latin-1 and give wrong characters.
            self.faults.setdefault(part.field_name, "INVALID_CHARACTER")
        super().on_part_end()


async def read_form(request: Request) -> EventForm:
    _require_multipart(request.headers.get("content-type", "").lower())
    reader = _FormParser(request)
    try:
        form = await reader.parse()
    except MultiPartException as error:
        raise InvalidInput("フォームを読み取れませんでした。", [Detail("form", "INVALID_FORMAT")]) from error
    try:
        return await _sorted(form.multi_items(), reader.faults)
    finally:
        await form.close()


def _is_utf8(data: bytearray) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _require_multipart(content_type: str) -> None:
    if not content_type.startswith("multipart/form-data"):
        raise UnsupportedMediaType("フォーム（multipart/form-data）で送ってください。")
    if "charset" in content_type and not (content_type.count("charset") == 1 and _UTF8.fullmatch(content_type)):
        raise UnsupportedMediaType("文字コードはUTF-8で送ってください。")


async def _sorted(items: list[tuple[str, str | UploadFile]], unread: dict[str, str]) -> EventForm:
    texts: dict[str, object] = {name: value for name, value in items if isinstance(value, str) and name != "image"}
    files = {name: value for name, value in items if isinstance(value, UploadFile)}
    faults = {name: "GIVEN_TWICE" for name, count in Counter(name for name, _ in items).items() if count > 1}
    for name in files.keys() - {"image"}:
        faults.setdefault(name, "INVALID_FORMAT" if name in FORM_FIELDS else "UNKNOWN_FIELD")
    # Unknown fields are left out, because `UNKNOWN_FIELD` is reported for them elsewhere.
    for name in unread.keys() & set(FIELDS):
        faults.setdefault(name, unread[name])
    named = tuple(Detail(name, faults[name]) for name in sorted(faults))
    return EventForm(texts, await _image(files.get("image")), named)


async def _image(file: UploadFile | None) -> bytes | None:
    """A browser sends an empty file without a name when no file was chosen."""
    data = await file.read() if file is not None else None
    return data if data or (file is not None and file.filename) else None
