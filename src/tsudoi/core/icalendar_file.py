"""A file with one entry for calendar programs (RFC 5545). Every context that has dates describes its entries here."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

# No calendar shows these characters, and some programs take them for the end of a line.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")
_END = b"END:VEVENT\r\n"


def calendar_file(method: str, properties: Mapping[str, Any]) -> bytes:
    """`properties` by their names in lower case; None leaves one out.

    Times are written in UTC: every phone shows the right hour, without a description of the time zone.
    """
    from icalendar import Calendar, Event  # noqa: PLC0415 (slow to import, and rarely needed)

    calendar, event = Calendar(), Event()
    for name, value in {"prodid": "-//Tsudoi//Tsudoi//JA", "version": "2.0", "calscale": "GREGORIAN"}.items():
        calendar.add(name, value)
    calendar.add("method", method)
    for name, value in properties.items():
        if value is not None:
            event.add(name, _written(value))
    calendar.add_component(event)
    made: bytes = calendar.to_ical()
    return made


def calendar_person(address: str, name: str, **parameters: str) -> Any:
    """An organiser or an attendee."""
    from icalendar import vCalAddress, vText  # noqa: PLC0415 (slow to import, and rarely needed)

    person = vCalAddress(f"mailto:{address}")
    for parameter, value in {"CN": _written(name).replace("\n", " ").replace('"', "'"), **parameters}.items():
        person.params[parameter] = vText(value)
    return person


def with_attendee(file: bytes, person: Any) -> bytes:
    """The same file for another attendee: a file to each of many people is built once."""
    from icalendar.parser import Contentline  # noqa: PLC0415 (slow to import, and rarely needed)

    line: bytes = Contentline.from_parts("ATTENDEE", person.params, person).to_ical()
    return file.replace(_END, line + b"\r\n" + _END, 1)


def _written(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(microsecond=0)
    if type(value) is str:
        return _UNPRINTABLE.sub("", value.replace("\r\n", "\n").replace("\r", "\n"))
    return value
