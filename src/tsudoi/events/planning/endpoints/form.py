"""The form that makes an event, read only after we know who is asking."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass

import orjson
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from tsudoi.core.errors import Detail, InvalidInput, UnsupportedMediaType
from tsudoi.events.planning.schemas import FORM_FIELDS

# The ids of 100,000 members, and room to spare.
LARGEST_FIELD = 1_000_000
# More than there are, so that what is too much can be named.
_MOST_FIELDS, _MOST_FILES = 50, 10
_BAD_REQUEST = 400
# The form's reader would decode by whatever encoding it is told, some of which make text that nothing can hold.
_UTF8 = re.compile(r'[^;]*;(?:.*;)?\s*charset="?utf-8"?\s*(?:;.*)?')


@dataclass(frozen=True, slots=True)
class EventForm:
    """`faults`: what is wrong with the form itself, whatever its fields say."""

    fields: dict[str, object]
    image: bytes | None
    faults: tuple[Detail, ...] = ()

    def content(self) -> bytes:
        """The same for the same form: a browser separates the fields by another random line each time."""
        digest = hashlib.sha256(self.image).hexdigest() if self.image is not None else None
        faults = [(fault.field, fault.reason) for fault in self.faults]
        return orjson.dumps([self.fields, digest, faults], option=orjson.OPT_SORT_KEYS)


async def read_form(request: Request) -> EventForm:
    _require_multipart(request.headers.get("content-type", "").lower())
    limits = {"max_files": _MOST_FILES, "max_fields": _MOST_FIELDS, "max_part_size": LARGEST_FIELD}
    try:
        async with request.form(**limits) as form:
            return await _sorted(form.multi_items())
    except HTTPException as error:
        if error.status_code != _BAD_REQUEST:
            raise
        raise InvalidInput("フォームを読み取れませんでした。", [Detail("form", "INVALID_FORMAT")]) from error


def _require_multipart(content_type: str) -> None:
    if not content_type.startswith("multipart/form-data"):
        raise UnsupportedMediaType("フォーム（multipart/form-data）で送ってください。")
    if "charset" in content_type and not (content_type.count("charset") == 1 and _UTF8.fullmatch(content_type)):
        raise UnsupportedMediaType("文字コードはUTF-8で送ってください。")


async def _sorted(items: list[tuple[str, str | UploadFile]]) -> EventForm:
    texts: dict[str, object] = {name: value for name, value in items if isinstance(value, str) and name != "image"}
    files = {name: value for name, value in items if isinstance(value, UploadFile)}
    faults = {name: "GIVEN_TWICE" for name, count in Counter(name for name, _ in items).items() if count > 1}
    for name in files.keys() - {"image"}:
        faults.setdefault(name, "INVALID_FORMAT" if name in FORM_FIELDS else "UNKNOWN_FIELD")
    image = files.get("image")
    named = tuple(Detail(name, faults[name]) for name in sorted(faults))
    return EventForm(texts, await image.read() if image is not None else None, named)
