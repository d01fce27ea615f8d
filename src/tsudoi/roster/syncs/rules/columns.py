"""Which column of the sheet holds which field. Headers are found by their names; their order is free."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

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
