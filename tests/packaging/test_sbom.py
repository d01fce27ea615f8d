"""The list of all components: everything that the lock files name is in it, once, and nothing of this machine."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tools.sbom import render

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(render())
    return found


def test_every_locked_package_is_named_once(document: dict[str, Any]) -> None:
    purls = [one["purl"] for one in document["components"]]
    assert len(purls) == len(set(purls))
    for lock in ("requirements.lock", "requirements-dev.lock", "requirements-node.lock"):
        locked = re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / lock).read_text(), re.MULTILINE)
        assert locked
        assert [one for one in locked if f"pkg:pypi/{one[0].lower()}@{one[1]}" not in purls] == [], lock
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    names = {path.rpartition("node_modules/")[2].replace("@", "%40") for path in packages if path}
    assert names == {purl[8:].rpartition("@")[0] for purl in purls if purl.startswith("pkg:npm/")}


def test_what_runs_is_told_from_what_only_tests_it(document: dict[str, Any]) -> None:
    scopes = {one["name"]: one["scope"] for one in document["components"]}
    assert (scopes["fastapi"], scopes["pytest"], scopes["react"]) == ("required", "excluded", "required")


def test_it_has_the_shape_of_cyclonedx(document: dict[str, Any]) -> None:
    assert (document["bomFormat"], document["specVersion"], document["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", document["serialNumber"])
    assert document["metadata"]["component"]["name"] == "tsudoi"
    hashes = [one["hashes"][0] for one in document["components"] if "hashes" in one]
    assert all((len(one["content"]), one["alg"]) == (128, "SHA-512") for one in hashes)


def test_it_is_the_same_each_time_and_names_no_registry(document: dict[str, Any]) -> None:
    text = render()
    assert json.loads(text) == document
    assert str(ROOT) not in text
    assert re.findall(r"https?://[\w.-]+", text) == ["http://cyclonedx.org"]
