"""How query parameters are read, and how exported files are named. Pure."""

import re
import unicodedata
from datetime import date, datetime

from tsudoi.core.clock import JST, in_known_years
from tsudoi.core.csv_text import safe
from tsudoi.events.event.rules import DEFAULT_LABEL

LATEST = ("member_id", "name", "status", "extra_text")
HISTORY = ("response_id", "responded_at", "member_id", "name", "status", "extra_text")
# The workbook's columns: heading and width. The column of the memo follows, with the event's own label.
LATEST_FOR_PEOPLE = (("会員ID", 10), ("氏名", 24), ("回答", 10))
HISTORY_FOR_PEOPLE = (("回答ID", 10), ("回答日時", 20), ("会員ID", 10), ("氏名", 24), ("回答", 10))
WORDS = {"attend": "出席", "absent": "欠席", "pending": "未回答"}

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(\.\d{1,6})?)?)(?:(Z)|([+\- ])(\d{2}):?(\d{2}))?", re.ASCII
)
_NOT_IN_FILE_NAMES = re.compile(r'[\\/:*?"<>|%\s]+')
_LONGEST_NAME = 60
_MEMO_WIDTH = 48


def memo_column(label: str | None) -> tuple[str, int]:
    """Heading and width. The label is user input, so formulas and characters that no workbook can hold are removed."""
    visible = "".join(char for char in label or "" if unicodedata.category(char)[0] != "C")
    return str(safe(visible or DEFAULT_LABEL)), _MEMO_WIDTH


def day_of(text: object) -> date:
    """`2025-09-01` and nothing else, because other formats are ambiguous."""
    if not isinstance(text, str) or not _DAY.fullmatch(text):
        raise ValueError("not a day")
    return in_known_years(date.fromisoformat(text))


def moment_of(text: object) -> datetime:
    """A time; without an offset it is Japanese time. A space before the offset is an unescaped `+`.

    Times are shown to the second, so a time without decimals means the end of that second: an answer that is shown with
    12:00:00 is included as of 12:00:00.
    """
    found = _MOMENT.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError("not a moment")
    spoken, decimals, utc, sign, hours, minutes = found.groups()
    offset = "+00:00" if utc else f"{'-' if sign == '-' else '+'}{hours}:{minutes}" if sign else "+09:00"
    try:
        moment = in_known_years(datetime.fromisoformat(spoken + offset)).astimezone(JST)
    except OverflowError:
        raise ValueError("not a moment") from None
    return moment if decimals else moment.replace(microsecond=999_999)


def file_name(title: str, what: str, when: str, ending: str) -> str:
    """`理事会9月_最新_2025-08-16.csv`, without characters that a file system or a header does not allow."""
    visible = "".join(char for char in title if unicodedata.category(char)[0] != "C" or char == "\n")
    kept = _NOT_IN_FILE_NAMES.sub("_", visible)[:_LONGEST_NAME].strip("._")
    return f"{kept or 'event'}_{what}_{when}.{ending}"
