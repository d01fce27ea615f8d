"""A new context is one folder and one line: routes, an outbox, a job by the clock and a page come with it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRATCH = Path(__file__).parent / "scratch"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the product with the folder `scratch` and one more line in the list of contexts."""
    source = tmp_path_factory.mktemp("product")
    ignore = shutil.ignore_patterns("__pycache__", "assets", "apidocs")
    shutil.copytree(ROOT / "src" / "tsudoi", source / "tsudoi", ignore=ignore)
    shutil.copytree(SCRATCH / "context", source / "tsudoi" / "scratch", ignore=ignore)
    (source / "tsudoi" / "static" / "scratch").mkdir(parents=True, exist_ok=True)
    (source / "tsudoi" / "static" / "scratch" / "index.html").write_text("<p>scratch page</p>")
    listed = source / "tsudoi" / "contexts.py"
    listed.write_text(listed.read_text().replace('    "events",\n', '    "events",\n    "scratch",\n', 1))
    return source


def tried(package: Path, folder: Path, features: str) -> dict[str, Any]:
    """What a process of its own finds, with these features switched on."""
    path = os.pathsep.join((str(package), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "FEATURES": features, "DATA_DIR": str(folder)}
    command = [sys.executable, str(SCRATCH / "try_it.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_it_is_there_with_all_that_it_registers(package: Path, tmp_path: Path) -> None:
    assert tried(package, tmp_path, "") == {
        "described": True,
        "tag": True,
        "post": 201,
        "page": 200,
        "sent": ["hello"],
        "clock_struck": True,
        "watched": True,
        "menu": True,
        "asks_for_its_setting": True,
    }


def test_it_is_gone_when_it_is_switched_off(package: Path, tmp_path: Path) -> None:
    assert tried(package, tmp_path, "events") == {
        "described": False,
        "tag": False,
        "post": 404,
        "page": 404,
        "sent": [],
        "clock_struck": False,
        "watched": False,
        "menu": False,
        "asks_for_its_setting": False,
    }
