"""The form of the help page, as a browser sends it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from tsudoi.core.errors import Detail, InvalidInput

FIELDS = ("email", "phone_number", "name")
_MOST_FIELDS = 20
_LONGEST_SHOWN = 400
_WORDS = {
    ("email", "REQUIRED"): "メールアドレスを入力してください。",
    ("email", "INVALID_FORMAT"): "メールアドレスの形が正しくありません。もう一度ご確認ください。",
    ("email", "TOO_LONG"): "メールアドレスが長すぎます。もう一度ご確認ください。",
    ("phone_number", "REQUIRED"): "電話番号を入力してください。",
    ("phone_number", "INVALID_FORMAT"): "電話番号の形が正しくありません。例：090-1234-5678",
    ("name", "TOO_LONG"): "お名前が長すぎます。",
    ("name", "CONTROL_CHARACTER"): "お名前に使えない文字が入っています。",
}


@dataclass(frozen=True, slots=True)
class HelpForm:
    """What somebody typed, so that nothing has to be typed again, and what is wrong with it, by field."""

    typed: Mapping[str, str] = field(default_factory=dict)
    wrong: Mapping[str, str] = field(default_factory=dict)


def form_values(content: bytes) -> dict[str, str]:
    try:
        found = parse_qsl(content.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise InvalidInput(details=[Detail("body", "INVALID_FORMAT")]) from error
    given = dict(found)
    return {name: given.get(name, "") for name in FIELDS}


def form_again(typed: Mapping[str, str], details: Sequence[Detail] = ()) -> HelpForm:
    wrong = {one.field: _WORDS.get((one.field, one.reason), "入力内容をご確認ください。") for one in details}
    return HelpForm({name: value[:_LONGEST_SHOWN] for name, value in typed.items()}, wrong)
