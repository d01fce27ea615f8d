"""The calendar entry of a mail, in words: what a calendar program would do with it."""

from datetime import datetime

from icalendar import Calendar, Component

from tsudoi.sandbox.clock import JST

_METHODS = {"REQUEST": "予定に入れる", "CANCEL": "予定から取り消す", "PUBLISH": "予定のお知らせ"}
_FIELDS = {"SUMMARY": "予定", "LOCATION": "場所", "ATTENDEE": "参加者", "SEQUENCE": "何回目の版", "UID": "番号"}


def calendar_facts(content: bytes) -> dict[str, str]:
    """The facts by their names for people; empty when it is no calendar entry."""
    try:
        calendar = Calendar.from_ical(content)
    except ValueError:
        return {}
    found = {"内容": _METHODS.get(method := str(calendar.get("METHOD", "")), method)}
    for event in calendar.walk("VEVENT"):
        found |= {"日時": _period(event)}
        found |= {label: _text(event[name]) for name, label in _FIELDS.items() if name in event}
    return found if len(found) > 1 else {}


def _text(value: object) -> str:
    """A property may stand there more than once."""
    values = value if isinstance(value, list) else [value]
    return ", ".join(str(one).removeprefix("mailto:") for one in values)


def _period(event: Component) -> str:
    """In Japanese time, whatever zone the mail is written in."""
    times = [event.decoded(name) for name in ("DTSTART", "DTEND") if name in event]
    return "〜".join(
        time.astimezone(JST).strftime("%Y/%m/%d %H:%M") if isinstance(time, datetime) else str(time) for time in times
    )
