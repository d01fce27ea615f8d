"""The texts of notices: the built-in ones, their placeholders, and how a text is checked and filled in. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

TemplateKey = Literal["CONFIRMATION", "MOVED", "REMINDER", "CANCEL_COMPLETED", "REFUNDED"]
# As LINE counts the length of a text.
LONGEST_TEXT = 5000
# Control characters, lone surrogates, and the separators of lines and paragraphs.
_FORBIDDEN = ("Cc", "Cs", "Zl", "Zp")
_PLACEHOLDER = re.compile(r"\{([^{}\n]*)\}")
_BRACE = re.compile(r"[{}]")
# What a Japanese keyboard writes instead of the ASCII braces.
_WIDE_PLACEHOLDER = re.compile(r"｛([^｛｝\n]*)｝")


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A word in braces that stands for a value of the reservation."""

    name: str
    description: str
    sample: str
    # As many UTF-16 units as its value may have.
    longest: int
    # Some reservations have no such value. A line in which all placeholders are empty is left out.
    may_be_empty: bool = False


_ALL = (
    Placeholder("氏名", "予約した人の名前", "山田 太郎", 202),
    Placeholder("日時", "予約の開始日時", "2026/12/10 08:00", 16),
    Placeholder("種別", "予約の種類", "インフルエンザ予防接種", 200),
    Placeholder("会場", "予約の種類に登録した会場", "本館2階 健診センター", 400, may_be_empty=True),
    Placeholder("備考", "予約枠に登録した備考", "問診票をお持ちください。", 1000, may_be_empty=True),
    Placeholder("料金", "オンラインで支払う料金", "3,500円", 20, may_be_empty=True),
    Placeholder("予約番号", "予約の番号", "1024", 16),
)
PLACEHOLDERS: Mapping[str, Placeholder] = {one.name: one for one in _ALL}
SAMPLES: Mapping[str, str] = {one.name: one.sample for one in _ALL}

_FACTS = "日時：{日時}\n種別：{種別}\n会場：{会場}"
BUILT_IN: Mapping[TemplateKey, str] = {
    "CONFIRMATION": f"【予約確定】\n{{氏名}} 様\nご予約が確定しました。\n\n{_FACTS}\n料金：{{料金}}\n備考：{{備考}}",
    "MOVED": f"【予約変更】\n{{氏名}} 様\n予約内容が変更されました。\n\n{_FACTS}\n備考：{{備考}}",
    "REMINDER": f"【リマインド】\n{{氏名}} 様\nご予約の日が近づきました。\n\n{_FACTS}\n備考：{{備考}}",
    "CANCEL_COMPLETED": f"【キャンセル完了】\n{{氏名}} 様\n次のご予約のキャンセルが完了しました。\n\n{_FACTS}",
    "REFUNDED": (
        "【キャンセル完了・返金】\n{氏名} 様\n次のご予約はキャンセルになりました。"
        f"お支払いいただいた料金は返金いたします。\n\n{_FACTS}\n返金額：{{料金}}"
    ),
}
# Notices about something that is ahead have these buttons below the text.
BUTTONS = ("予約を見る", "変更する", "キャンセルする", "カレンダーに追加")
WITH_BUTTONS: tuple[TemplateKey, ...] = ("CONFIRMATION", "MOVED", "REMINDER")
# How the office's screen calls each of them.
LABELS: Mapping[TemplateKey, str] = {
    "CONFIRMATION": "予約確定",
    "MOVED": "予約の変更",
    "REMINDER": "リマインド",
    "CANCEL_COMPLETED": "キャンセル完了",
    "REFUNDED": "キャンセル完了（返金あり）",
}


@dataclass(frozen=True, slots=True)
class TemplateFlaw:
    """What is wrong with a text: a code for programs, and a sentence for the office."""

    code: Literal["EMPTY", "CONTROL_CHARACTER", "UNKNOWN_PLACEHOLDER", "BROKEN_PLACEHOLDER", "TOO_LONG"]
    message: str


@dataclass(frozen=True, slots=True)
class ShownNotice:
    """A text with sample values, as a phone shows it."""

    text: str
    buttons: tuple[str, ...]
    length: int
    longest_length: int
    limit: int
    flaws: list[TemplateFlaw]


class BrokenTemplate(ValueError):
    """A text that cannot be sent."""


def stored(body: str) -> str:
    """The text as it is kept: composed characters, LF at the ends of lines, no empty lines around it."""
    return unicodedata.normalize("NFC", body).replace("\r\n", "\n").strip()


def flaws(body: str) -> list[TemplateFlaw]:
    found = [*_unknown(body), *_broken(body)]
    if any(unicodedata.category(character) in _FORBIDDEN for character in body.replace("\n", "")):
        found.append(TemplateFlaw("CONTROL_CHARACTER", "使えない文字（制御文字）が含まれています。"))
    if not _fill(body, {one.name: "" if one.may_be_empty else one.sample for one in _ALL}).strip():
        found.append(TemplateFlaw("EMPTY", "文章を入力してください。"))
    longest = _longest_length(body)
    if longest > LONGEST_TEXT:
        message = (
            f"長すぎます。差し込む内容が最も長いと{longest:,}文字で、LINEの上限（{LONGEST_TEXT:,}文字）を超えます。"
        )
        found.append(TemplateFlaw("TOO_LONG", message))
    return found


def preview(key: TemplateKey, body: str) -> ShownNotice:
    """Also for a text that cannot be saved yet: what is wrong stays visible in it."""
    body = stored(body)
    text = _fill(body, SAMPLES).strip()
    buttons = BUTTONS if key in WITH_BUTTONS else ()
    return ShownNotice(text, buttons, units(text), _longest_length(body), LONGEST_TEXT, flaws(body))


def filled(body: str, values: Mapping[str, str]) -> str:
    """The text as LINE gets it. Raises `BrokenTemplate` for a text that was not checked when it was saved."""
    wrong = [*_unknown(body), *_broken(body)]
    if wrong:
        raise BrokenTemplate(wrong[0].message)
    text = _fill(body, values).strip()
    if not text:
        raise BrokenTemplate("文章が空です。")
    if units(text) > LONGEST_TEXT:
        raise BrokenTemplate(f"{units(text):,}文字あり、LINEの上限（{LONGEST_TEXT:,}文字）を超えています。")
    return text


def units(text: str) -> int:
    """The length as LINE counts it: an emoji is two."""
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2


def _longest_length(body: str) -> int:
    return units(_fill(body, {one.name: "x" * one.longest for one in _ALL}))


def _unknown(body: str) -> Iterator[TemplateFlaw]:
    for name in dict.fromkeys(_PLACEHOLDER.findall(body)):
        if name not in PLACEHOLDERS:
            names = "、".join(f"{{{known}}}" for known in PLACEHOLDERS)
            message = f"「{{{name}}}」という差し込みはありません。使えるのは {names} です。"
            yield TemplateFlaw("UNKNOWN_PLACEHOLDER", message)


def _broken(body: str) -> Iterator[TemplateFlaw]:
    if _BRACE.search(_PLACEHOLDER.sub("", body)):
        message = "「{」と「}」が組になっていません。{氏名} のように、名前を半角の { } で囲んでください。"
        yield TemplateFlaw("BROKEN_PLACEHOLDER", message)
    if any(name in PLACEHOLDERS for name in _WIDE_PLACEHOLDER.findall(body)):
        yield TemplateFlaw("BROKEN_PLACEHOLDER", "差し込みのかっこが全角です。半角の { } にしてください。")


def _fill(body: str, values: Mapping[str, str]) -> str:
    return "\n".join(_filled_line(line, values) for line in body.split("\n") if not _says_nothing(line, values))


def _filled_line(line: str, values: Mapping[str, str]) -> str:
    # One pass, so that a name with braces in it is not filled in once more. An unknown placeholder stays as it is.
    return _PLACEHOLDER.sub(lambda found: _value(found[1], values), line)


def _says_nothing(line: str, values: Mapping[str, str]) -> bool:
    names = _PLACEHOLDER.findall(line)
    return bool(names) and not any(_value(name, values).strip() for name in names)


def _value(name: str, values: Mapping[str, str]) -> str:
    return values.get(name, "" if name in PLACEHOLDERS else f"{{{name}}}")
