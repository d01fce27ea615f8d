"""The API description is written for people: every operation says what it does and shows an example."""

import json
from pathlib import Path
from typing import Any

import pytest

from tsudoi.access.writes import WITHOUT_EFFECT
from tsudoi.commands.openapi import openapi_json
from tsudoi.contexts import CONTEXTS

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "web" / "api" / "openapi.json"
DESCRIPTION: dict[str, Any] = json.loads(COMMITTED.read_bytes())
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
}


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = DESCRIPTION["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def has_example(content: dict[str, Any]) -> bool:
    for media in content.values():
        schema = resolved(media.get("schema", {}))
        fields = [resolved(field) for field in schema.get("properties", {}).values()]
        shown = "example" in media or "examples" in media or "examples" in schema or "example" in schema
        if not shown and not (fields and all("examples" in field or "example" in field for field in fields)):
            return False
    return True


def test_the_committed_copy_is_what_the_code_says() -> None:
    """The TypeScript types are made from it: `make types` after a change of the API."""
    assert COMMITTED.read_bytes() == openapi_json()


@pytest.mark.row("1.I.17")
@pytest.mark.parametrize("name", OPERATIONS)
def test_each_operation_has_words_a_group_and_examples(name: str) -> None:
    operation = OPERATIONS[name]
    assert operation["summary"]
    assert len(operation["description"]) > 20
    assert set(operation["tags"]) <= {tag.name for context in CONTEXTS for tag in context.tags}
    assert operation["tags"]
    if "requestBody" in operation:
        assert has_example(operation["requestBody"]["content"])
    successes = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    assert successes
    assert all(has_example(answer.get("content", {})) for answer in successes)


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_parameter_is_explained(name: str) -> None:
    silent = [
        parameter["name"] for parameter in OPERATIONS[name].get("parameters", []) if not parameter.get("description")
    ]
    assert silent == []


def test_errors_have_the_documented_shape() -> None:
    """Document 001 has its `error` beside the others. What people open in a browser is answered with a page."""
    documented = {"code", "message", "details"}
    for name, operation in OPERATIONS.items():
        for status, answer in operation["responses"].items():
            if status.startswith(("4", "5")) and "content" in answer and set(answer["content"]) != {"text/html"}:
                schema = resolved(answer["content"]["application/json"]["schema"])
                more = {"error"} if "scheduling" in operation["tags"] else set()
                assert set(schema["properties"]) == documented | more, (name, status)


@pytest.mark.found("24.A1")
def test_each_query_parameter_of_a_write_is_known_to_have_an_effect_or_none() -> None:
    """A request with a key is the same request when only parameters without effect differ.

    Whoever adds a parameter decides here which of the two it is. `dryRun` and `scope` are part of what is asked for.
    """
    found = {
        (name, parameter["name"])
        for name, operation in OPERATIONS.items()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "query" and not name.startswith("GET ")
    }
    with_effect = {
        ("POST /api/admin/staffs/import", "dryRun"),
        ("POST /api/admin/staffs/import", "createDepartments"),
        ("POST /api/admin/staffs/import/rejected", "createDepartments"),
        ("DELETE /api/admin/sys-params/{key}", "scope"),
        ("DELETE /api/admin/sys-params/{key}", "shop_id"),
    }
    assert {(name, parameter) for name, parameter in found if parameter not in WITHOUT_EFFECT} == with_effect
