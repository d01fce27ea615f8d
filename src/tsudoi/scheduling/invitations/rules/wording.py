"""Dates and times as the page of an invitation writes them. Pure."""

from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from tsudoi.core.clock import JST

JAPAN = "Asia/Tokyo"
_WEEKDAYS = "月火水木金土日"
# The zones that a reader can choose, with the names that people in Japan use for them.
ZONES: dict[str, str] = {
    JAPAN: "日本",
    "Asia/Seoul": "韓国",
    "Asia/Shanghai": "中国",
    "Asia/Taipei": "台湾",
    "Asia/Hong_Kong": "香港",
    "Asia/Manila": "フィリピン",
    "Asia/Singapore": "シンガポール",
    "Asia/Ho_Chi_Minh": "ベトナム",
    "Asia/Bangkok": "タイ",
    "Asia/Jakarta": "インドネシア（西部）",
    "Asia/Kolkata": "インド",
    "Asia/Dubai": "ドバイ",
    "Europe/Berlin": "ドイツ",
    "Europe/Paris": "フランス",
    "Europe/London": "イギリス",
    "UTC": "協定世界時（UTC）",
    "America/Sao_Paulo": "ブラジル（サンパウロ）",
    "America/New_York": "アメリカ（ニューヨーク）",
    "America/Chicago": "アメリカ（シカゴ）",
    "America/Los_Angeles": "アメリカ（ロサンゼルス）",
    "Pacific/Honolulu": "ハワイ",
    "Australia/Sydney": "オーストラリア（シドニー）",
    "Pacific/Auckland": "ニュージーランド",
}
# The labels that document 001 gives to its three slots. They are wrong from the next day on, so nobody sees them.
_PASSING_LABELS = ("Tomorrow", "Day After Tomorrow", "In 3 Days")


def shown_label(label: str | None) -> str | None:
    return None if label in _PASSING_LABELS else label or None


def known_zone(name: str) -> str:
    """The zone that the reader asks for; Japan if there is no such zone."""
    return name if name in _zones() else JAPAN


def zone_name(name: str) -> str:
    return ZONES.get(name) or name


def day(value: datetime, zone: str = JAPAN) -> str:
    """`12月1日（火）`: the year is left out, because slots are near."""
    local = _in(value, zone)
    return f"{local.month}月{local.day}日（{_WEEKDAYS[local.weekday()]}）"


def long_day(value: datetime, zone: str = JAPAN) -> str:
    return f"{_in(value, zone).year}年{day(value, zone)}"


def clock(value: datetime, zone: str = JAPAN) -> str:
    return _in(value, zone).strftime("%H:%M")


def moment(value: datetime) -> str:
    """`12月1日（火）14:00`, in Japan."""
    return f"{day(value)}{clock(value)}"


def hours(start: datetime, end: datetime, zone: str = JAPAN) -> str:
    """`14:00〜15:00`; the day of the end is named where it is another one."""
    same_day = _in(start, zone).date() == _in(end, zone).date()
    return f"{clock(start, zone)}〜{'' if same_day else day(end, zone) + ' '}{clock(end, zone)}"


def differs(value: datetime, zone: str) -> bool:
    """Whether clocks there show another time than in Japan."""
    return zone in _zones() and _in(value, zone).utcoffset() != value.astimezone(JST).utcoffset()


@cache
def _zones() -> frozenset[str]:
    """Looked up once, because it reads a folder with hundreds of files."""
    return frozenset(available_timezones())


def _in(value: datetime, zone: str) -> datetime:
    return value.astimezone(JST if zone == JAPAN else ZoneInfo(zone))
