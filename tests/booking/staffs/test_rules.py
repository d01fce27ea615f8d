from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from tsudoi.booking.staffs import rules
from tsudoi.core.errors import InvalidInput


def reason(kind: Any, value: object) -> str:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(value, strict=True)
    return str(caught.value.errors()[0]["type"])


@pytest.mark.row("3.3.2")
@pytest.mark.parametrize("value", ["４４６７５２", "12a", "", "12\n", " 12", "-1", "１2"])
def test_a_number_is_ascii_digits(value: str) -> None:
    assert reason(rules.StaffId, value) == "NOT_DIGITS"
    assert reason(rules.EmrPatientId, value) == "NOT_DIGITS"


@pytest.mark.row("3.3.2")
@pytest.mark.found("24.C12")
def test_a_number_has_twenty_digits_at_most() -> None:
    for kind in (rules.StaffId, rules.EmrPatientId):
        assert reason(kind, "1" * 21) == "TOO_LONG"
        assert TypeAdapter(kind).validate_python("1" * 20) == "1" * 20


@pytest.mark.row("3.3.2")
def test_a_number_keeps_its_zeros_and_is_a_string() -> None:
    assert TypeAdapter(rules.StaffId).validate_python("0012") == "0012"
    assert reason(rules.StaffId, 446752) == "string_type"


@pytest.mark.row("3.3.12")
@pytest.mark.parametrize("name", ["𠮷田", "髙﨑", "①㈱", "辻\U000e0100", "ジャン=ポール"])
def test_a_name_keeps_its_characters(name: str) -> None:
    assert rules.person_name(f"　{name} ") == name


@pytest.mark.row("3.3.12")
def test_a_name_is_composed() -> None:
    assert rules.person_name("か\u3099") == "が"


@pytest.mark.row("3.3.12")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", "REQUIRED"),
        ("　", "REQUIRED"),
        ("\u200b", "REQUIRED"),
        ("あ" * 51, "TOO_LONG"),
        ("山\0田", "CONTROL_CHARACTER"),
        ("山田\n", "CONTROL_CHARACTER"),
        ("山\u2028田", "CONTROL_CHARACTER"),
    ],
)
def test_what_is_no_name(name: str, expected: str) -> None:
    assert reason(rules.PersonName, name) == expected


@pytest.mark.row("3.3.12")
def test_a_lone_surrogate_is_no_name() -> None:
    with pytest.raises(ValueError, match="control"):
        rules.person_name("山\ud800")


@pytest.mark.row("3.3.11")
@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("ﾔﾏﾀﾞ", "ヤマダ"),
        (" ヤマ　ダ ", "ヤマダ"),
        ("ジャン・ポール", "ジャン・ポール"),
        ("ｼﾞｬﾝ･ﾎﾟｰﾙ", "ジャン・ポール"),
        ("ヴ", "ヴ"),
    ],
)
def test_kana_becomes_full_width(typed: str, stored: str) -> None:
    assert rules.kana_name(typed) == stored


@pytest.mark.row("3.3.11")
@pytest.mark.parametrize("typed", ["やまだ", "山田", "Yamada", "", "ヤマダ1"])
def test_other_letters_are_no_kana(typed: str) -> None:
    assert reason(rules.KanaName, typed) == "NOT_KATAKANA"


@pytest.mark.row("3.3.5")
@pytest.mark.parametrize("text", ["2000-1-1", "20000101", "2000-02-30", "２０００-01-01", "2000-01-01\n", ""])
def test_a_birth_date_is_a_real_day(text: str) -> None:
    assert reason(rules.BirthDate, text) == "INVALID_FORMAT"


@pytest.mark.row("3.3.5")
def test_nobody_is_born_tomorrow() -> None:
    assert reason(rules.BirthDate, 946684800) == "string_type"
    rules.refuse_future("2025-08-16", "2025-08-16")
    with pytest.raises(InvalidInput):
        rules.refuse_future("2025-08-17", "2025-08-16")


@pytest.mark.row("3.1.3")
def test_the_sex_code_is_one_of_two_strings() -> None:
    assert reason(rules.SexCode, 1) == reason(rules.SexCode, "3") == "literal_error"


@pytest.mark.row("3.1.2")
def test_the_full_name_has_no_space() -> None:
    assert rules.full_name("山田", "太郎") == "山田太郎"
    assert rules.full_name_kana("ヤマダ", None) == "ヤマダ"
    assert rules.full_name_kana(None, None) is None


def test_a_search_does_not_match_across_two_values() -> None:
    text = rules.search_text("0012", "髙橋", "桜", "タカハシ", None)
    assert text == "0012|高橋桜|たかはし"
