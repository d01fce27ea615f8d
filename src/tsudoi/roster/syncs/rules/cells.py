"""Reads the headers of the sheet, and each row as a member or as a refusal with its reasons."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tsudoi.core.names import name_key

_HEADERS = {
    "id": ("id", "会員id", "会員番号"),
    "name": ("name", "氏名", "名前"),
    "kana": ("kana", "ふりがな", "フリガナ", "よみがな", "ヨミガナ", "かな", "カナ", "氏名カナ", "氏名(カナ)"),
    "display_order": ("display_order", "表示順"),
    "role": ("role", "権限"),
    "line_user_id": ("line_user_id",),
    "line_display_name": ("line_display_name",),
    "is_target": ("is_target", "配信対象"),
    "email": ("email", "e-mail", "mail", "メール", "メールアドレス"),
}
_FIELD_OF = {spelling: name for name, spellings in _HEADERS.items() for spelling in spellings}
_REQUIRED = ("id", "name")


class BadHeaders(Exception):
    """The sheet as a whole cannot be understood; nothing of it is used."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The column of each field, counted from 0. A field without a column stays as it is in the roster."""

    places: dict[str, int]
    unknown: tuple[str, ...] = ()
    headers: tuple[str, ...] = field(default=(), repr=False)

    def __contains__(self, name: str) -> bool:
        return name in self.places

    def cell(self, cells: Sequence[Any], name: str) -> Any:
        """None when the column is missing, or when the row ends before it."""
        place = self.places.get(name)
        return cells[place] if place is not None and place < len(cells) else None


def read_headers(cells: Sequence[Any]) -> Columns:
    headers = tuple("" if cell is None else str(cell) for cell in cells)
    places: dict[str, int] = {}
    unknown: list[str] = []
    for place, header in enumerate(headers):
        name = _FIELD_OF.get(_spelling(header))
        if name is None:
            unknown += [header.strip()] if header.strip() else []
        elif name in places:
            raise BadHeaders(f"見出し「{header.strip()}」の列が2つあります / two columns for {name}")
        else:
            places[name] = place
    missing = [" / ".join(_HEADERS[name][:2]) for name in _REQUIRED if name not in places]
    if missing:
        raise BadHeaders(
            f"1行目に見出し「{'」「'.join(missing)}」がありません / row 1 has no header for: {', '.join(missing)}"
        )
    return Columns(places, tuple(unknown), headers)


def _spelling(header: str) -> str:
    """`ＬＩＮＥ User ID` becomes `line_user_id`: width, case and the kind of space do not matter."""
    plain = unicodedata.normalize("NFKC", header).strip().lstrip("\ufeff").casefold()
    return "_".join(plain.split())


LARGEST_ID = 2**53
LONGEST_NAME = 100
LONGEST_EMAIL = 254
_LARGEST_ORDER = 2**31 - 1
_WHOLE = re.compile(r"([+-]?[0-9]{1,17})(?:\.0+)?", re.ASCII)
_LINE_USER = re.compile(r"U[0-9a-f]{32}", re.ASCII)
_FLAGS = {"0": 0, "1": 1, "false": 0, "true": 1}
_ROLES = ("member", "admin")
# A row that has none of these is skipped: check boxes and formulas fill the lower end of many sheets.
_IDENTIFYING = ("id", "name", "line_user_id", "email")


class SheetRow(NamedTuple):
    """A valid row. A field is None if the cell is empty or the sheet has no such column."""

    number: int
    id: int
    name: str
    name_key: str
    display_order: int | None = None
    role: str = "member"
    line_user_id: str | None = None
    is_target: int | None = None
    email: str | None = None
    kana: str | None = None
    # Whether the sheet already shows the person's LINE name; it is never read from there.
    shows_line_name: bool = False

    def refused(self, *reasons: str) -> "RefusedRow":
        return RefusedRow(self.number, reasons, self.name, self.id, self.name_key, self.line_user_id)


class RefusedRow(NamedTuple):
    """A row that is not used. The member whom it means (by id, name or LINE account) is not withdrawn."""

    number: int
    reasons: tuple[str, ...]
    name: str = ""
    id: int | None = None
    name_key: str = ""
    line_user_id: str | None = None


def is_blank(columns: Columns, cells: Sequence[Any]) -> bool:
    return not any(_text(columns.cell(cells, name)) for name in _IDENTIFYING)


def read_row(columns: Columns, number: int, cells: Sequence[Any], *, nfkc: bool) -> SheetRow | RefusedRow:
    faults: list[str] = []
    member_id = _id(columns.cell(cells, "id"), faults)
    name = _text(columns.cell(cells, "name"))
    key = _name_key(name, faults, nfkc=nfkc)
    line_user_id = _line_user_id(columns.cell(cells, "line_user_id"), faults)
    order = _order(columns.cell(cells, "display_order"), faults)
    role = _role(columns.cell(cells, "role"), faults)
    is_target = _flag(columns.cell(cells, "is_target"), faults)
    email = _email(columns.cell(cells, "email"), faults)
    kana = _kana(columns.cell(cells, "kana"), faults)
    if faults or member_id is None:
        return RefusedRow(number, tuple(faults), name[:LONGEST_NAME], member_id, key, line_user_id)
    shown = bool(_text(columns.cell(cells, "line_display_name")))
    return SheetRow(number, member_id, name, key, order, role, line_user_id, is_target, email, kana, shown)


def _text(cell: Any) -> str:
    """One line of text that both databases can store: no control characters, no halves of a character."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        text = cell
    elif isinstance(cell, bool):
        text = "1" if cell else "0"
    elif isinstance(cell, float) and cell.is_integer():
        text = str(int(cell))
    else:
        text = str(cell)
    if text.isprintable():
        return text.strip()
    return "".join(_printable(character) for character in text).strip()


def _printable(character: str) -> str:
    if character in "\t\n\r\x0b\x0c\x85\u2028\u2029":
        return " "
    return "" if unicodedata.category(character) in ("Cc", "Cs") else character


def _whole(cell: Any) -> int | None:
    if isinstance(cell, bool):
        return None
    found = _WHOLE.fullmatch(unicodedata.normalize("NFKC", _text(cell)))
    return int(found.group(1)) if found else None


def read_id(cell: Any) -> int | None:
    number = _whole(cell)
    return number if number is not None and 1 <= number <= LARGEST_ID else None


def _id(cell: Any, faults: list[str]) -> int | None:
    number = read_id(cell)
    if not _text(cell):
        faults.append("id がありません / no id")
    elif number is None:
        faults.append("id が正の整数ではありません / id is not a positive whole number")
    return number


def _name_key(name: str, faults: list[str], *, nfkc: bool) -> str:
    if len(name) > LONGEST_NAME:
        faults.append(f"氏名が長すぎます（{LONGEST_NAME}文字まで）/ name longer than {LONGEST_NAME}")
        return ""
    key = name_key(name, nfkc=nfkc)
    if not key:
        faults.append("氏名が空です / empty name")
    return key


def _kana(cell: Any, faults: list[str]) -> str | None:
    """The reading of the name, in hiragana or katakana; half-width letters become full-width."""
    text = unicodedata.normalize("NFKC", _text(cell))
    if len(text) > LONGEST_NAME:
        faults.append(f"ふりがなが長すぎます（{LONGEST_NAME}文字まで）/ kana longer than {LONGEST_NAME}")
    return text or None


def _line_user_id(cell: Any, faults: list[str]) -> str | None:
    text = _text(cell)
    if not text:
        return None
    if not _LINE_USER.fullmatch(text):
        faults.append("line_user_id の形が違います（U＋32桁）/ not a LINE user id")
        return None
    return text


def _order(cell: Any, faults: list[str]) -> int | None:
    if not _text(cell):
        return None
    number = _whole(cell)
    if number is None or not -_LARGEST_ORDER - 1 <= number <= _LARGEST_ORDER:
        faults.append("表示順が整数ではありません / display_order is not a whole number")
        return None
    return number


def _role(cell: Any, faults: list[str]) -> str:
    """An empty cell is an ordinary member."""
    text = unicodedata.normalize("NFKC", _text(cell)).casefold() or "member"
    if text not in _ROLES:
        faults.append("role は member か admin です / role is neither member nor admin")
    return text


def _flag(cell: Any, faults: list[str]) -> int | None:
    text = unicodedata.normalize("NFKC", _text(cell)).casefold()
    if text and text not in _FLAGS:
        faults.append("is_target は 0 か 1 です / is_target is neither 0 nor 1")
    return _FLAGS.get(text)


def _email(cell: Any, faults: list[str]) -> str | None:
    text = _text(cell)
    if text and ("@" not in text or len(text) > LONGEST_EMAIL):
        faults.append("メールアドレスの形が違います / not a mail address")
    return text or None
