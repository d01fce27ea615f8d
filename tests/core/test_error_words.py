"""The sentence of an error says which field is wrong and what to do, for every field and every reason there is."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from tsudoi.access.rendering import _REASONS as REASONS_OF_PYDANTIC
from tsudoi.core.error_words import LABELS, REASONS, UNREADABLE, sentences
from tsudoi.core.errors import Detail, InvalidInput

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tsudoi"


def said(*faults: tuple[str, str]) -> str:
    return InvalidInput(details=[Detail(*fault) for fault in faults]).message


@pytest.mark.found("24.C12")
class TestSentences:
    def test_say_what_is_wrong_with_which_field(self) -> None:
        assert said(("held_at", "PAST_DATE")) == "開催日時は、これから先の日時にしてください。"
        assert said(("title", "REQUIRED"), ("image", "NOT_JPEG")) == (
            "題名を入力してください。画像は、JPEG（.jpg）にしてください。"
        )

    def test_name_the_place_in_a_list_and_no_id(self) -> None:
        assert said(("slots.2.start_at", "REQUIRED")) == "3つ目の始まりの日時を入力してください。"
        assert said(("target_member_ids.101", "UNKNOWN_MEMBER")) == "受信者に、名簿にいない方がいます。"

    def test_are_few_and_each_is_said_once(self) -> None:
        many = [(f"target_member_ids.{number}", "UNKNOWN_MEMBER") for number in range(50)]
        assert said(*many) == "受信者に、名簿にいない方がいます。"
        assert said(*[(name, "REQUIRED") for name in ("title", "body", "name", "q", "to")]).endswith(
            "ほかに2か所あります。"
        )

    def test_of_fields_and_reasons_that_nobody_knows(self) -> None:
        assert said(("a" * 500, "UNKNOWN_FIELD")) == f"「{'a' * 60}…」という項目はありません。"
        assert said(("x\n\u202ey", "STRANGE")) == "「x？？y」を確かめてください。"
        assert said(("body", "INVALID_JSON")) == UNREADABLE

    def test_leave_a_message_of_its_own_alone(self) -> None:
        assert InvalidInput("だめです。", [Detail("title", "REQUIRED")]).message == "だめです。"
        assert sentences(()) == ""
        assert InvalidInput().message == InvalidInput.default_message


@pytest.mark.found("24.C12")
def test_every_field_of_the_api_has_a_label() -> None:
    described = orjson.loads((ROOT / "web" / "api" / "openapi.json").read_bytes())
    names: set[str] = set()
    for operations in described["paths"].values():
        for operation in operations.values():
            names |= {parameter["name"] for parameter in operation.get("parameters", ())}
            for content in operation.get("requestBody", {}).get("content", {}).values():
                names |= set(_names(content["schema"], described["components"]["schemas"], set()))
    assert names
    assert sorted(name for name in names if name not in LABELS) == []


def _names(schema: Any, known: dict[str, Any], seen: set[str]) -> Iterator[str]:
    name = schema.get("$ref", "").rsplit("/", 1)[-1]
    if name:
        if name not in seen:
            yield from _names(known[name], known, seen | {name})
        return
    for field, inner in schema.get("properties", {}).items():
        yield field
        yield from _names(inner, known, seen)
    for part in ("anyOf", "oneOf", "allOf"):
        for inner in schema.get(part, ()):
            yield from _names(inner, known, seen)
    for part in ("items", "additionalProperties"):
        if isinstance(schema.get(part), dict):
            yield from _names(schema[part], known, seen)


@pytest.mark.found("24.C12")
def test_every_reason_has_a_sentence() -> None:
    reasons = set(REASONS_OF_PYDANTIC.values()) | {"INVALID_FORMAT"}
    for path in SOURCE.rglob("*.py"):
        if "sandbox" not in path.parts:
            reasons |= set(_reasons(ast.parse(path.read_text())))
    reasons -= {"INVALID_JSON"}
    assert len(reasons) > 40
    assert sorted(reason for reason in reasons if reason not in REASONS) == []


def _reasons(tree: ast.AST) -> Iterator[str]:
    """What stands as the second argument of `Detail`, or as the type of a `PydanticCustomError`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            place = {"Detail": 1, "PydanticCustomError": 0}.get(node.func.id)
            if place is not None and len(node.args) > place:
                constants = (one.value for one in ast.walk(node.args[place]) if isinstance(one, ast.Constant))
                yield from (value for value in constants if isinstance(value, str))
