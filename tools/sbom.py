"""Writes the list of all components (SBOM) as CycloneDX JSON, from the lock files alone: `make sbom`.

The same lock files always give the same bytes: there is no time in it, and its serial number comes from its content.
"""

import base64
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "dist" / "sbom.cdx.json"
_LOCKED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?: ; ([^\\]+?))?(?: \\)?$", re.MULTILINE)
# An expression of SPDX, as opposed to words such as "SEE LICENSE IN README.md".
_SPDX = re.compile(r"\(?[\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+)*\)?")

Json = dict[str, Any]


def render() -> str:
    """The whole document. Test tools are in it too, with the scope `excluded`."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    components = sorted([*_python(), *_pages()], key=lambda one: str(one["bom-ref"]))
    product = {
        "type": "application",
        "bom-ref": f"pkg:generic/{project['name']}@{project['version']}",
        "name": project["name"],
        "version": project["version"],
        "licenses": [{"license": {"id": project["license"]}}],
    }
    content = json.dumps(components, sort_keys=True)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content)}",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _python() -> Iterator[Json]:
    """The lock file of the product, and what the one for development has besides."""
    shipped = _locked("requirements.lock")
    tools = {**_locked("requirements-dev.lock"), **_locked("requirements-node.lock")}
    for (name, version), only_where in {**tools, **shipped}.items():
        made = _component(f"pkg:pypi/{name.lower()}@{quote(version)}", name, version, (name, version) in shipped)
        if only_where:
            made["properties"] = [{"name": "tsudoi:only-where", "value": only_where}]
        yield made


def _locked(name: str) -> dict[tuple[str, str], str]:
    """Name and version of each package, and where it is installed if not everywhere."""
    return {(found[1], found[2]): found[3] or "" for found in _LOCKED.finditer((ROOT / name).read_text())}


def _pages() -> Iterator[Json]:
    """What the pages are built from and with. A builder ends up in no page, but it decides what does."""
    packages: dict[str, Json] = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    seen: set[str] = set()
    for path, told in packages.items():
        name = path.rpartition("node_modules/")[2]
        purl = f"pkg:npm/{quote(name)}@{quote(told['version'])}"
        if not path or purl in seen:
            continue
        seen.add(purl)
        made = _component(purl, name, told["version"], shipped=True)
        made["licenses"] = [_licence(told["license"])]
        algorithm, _, digest = told["integrity"].partition("-")
        named = algorithm.upper().replace("SHA", "SHA-")
        made["hashes"] = [{"alg": named, "content": base64.b64decode(digest).hex()}]
        if told.get("dev"):
            made["properties"] = [{"name": "cdx:npm:package:development", "value": "true"}]
        yield made


def _licence(text: str) -> Json:
    return {"expression": text} if _SPDX.fullmatch(text) else {"license": {"name": text}}


def _component(purl: str, name: str, version: str, shipped: bool) -> Json:
    scope = "required" if shipped else "excluded"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, "scope": scope}


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(render())
    sys.stdout.write(f"{TARGET.relative_to(ROOT)}\n")
