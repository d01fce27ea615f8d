"""What people install is the wheel: it must carry the pages and the migrations, and run without Node."""

import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import httpx2
import pytest

from tests.servers import free_port

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("tsudoi-*.whl"))


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    folder = wheel.parent / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def environment(unpacked: Path, tmp_path: Path) -> dict[str, str]:
    """Nothing on the path: whoever needs Node now does not find it."""
    return {
        "PATH": str(tmp_path),
        "PYTHONPATH": str(unpacked),
        "PYTHONSAFEPATH": "1",
        "HOME": str(tmp_path),
        "DATA_DIR": str(tmp_path / "var"),
        "TSUDOI_DEMO": "1",
        "LOG_LEVEL": "ERROR",
    }


def tsudoi(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tsudoi", *arguments]
    return subprocess.run(
        command, env=environment, cwd=environment["HOME"], capture_output=True, text=True, check=False
    )


class TestTheWheel:
    def test_carries_pages_and_migrations(self, wheel: Path) -> None:
        names = set(zipfile.ZipFile(wheel).namelist())
        built = (
            "tsudoi/static/admin/index.html",
            "tsudoi/static/member/index.html",
            "tsudoi/static/apidocs/swagger-ui-bundle.js",
            "tsudoi/static/fonts/NotoSansJP-Bold.ttf",
            "tsudoi/static/fonts/OFL.txt",
            "tsudoi/sandbox/static/index.html",
        )
        assert set(built) <= names
        assert "tsudoi/migrations/versions/0001_front_door.py" in names
        assert "tsudoi/migrations/env.py" in names
        assert not [name for name in names if "node_modules" in name or name.endswith((".ts", ".tsx"))]

    def test_is_what_runs_here(self, environment: dict[str, str], unpacked: Path) -> None:
        """The editable install must not answer for the wheel."""
        code = "import tsudoi; print(tsudoi.__file__)"
        command = [sys.executable, "-c", code]
        found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()
        assert Path(found).is_relative_to(unpacked)

    def test_migrates_and_serves_its_pages_without_node(self, environment: dict[str, str]) -> None:
        assert tsudoi(environment, "migrate").returncode == 0
        port = free_port()
        command = [sys.executable, "-m", "tsudoi", "serve"]
        server = subprocess.Popen(command, env={**environment, "PORT": str(port)}, cwd=environment["HOME"])
        try:
            page = _get(f"http://127.0.0.1:{port}/admin/", server)
            assert 'name="tsudoi-config"' in page
            assert "__TSUDOI_CONFIG__" not in page
            assert "画面がまだ作られていません" not in _get(f"http://127.0.0.1:{port}/liff/", server)
        finally:
            server.terminate()
            assert server.wait(15) in (0, -15)


def _get(url: str, server: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and server.poll() is None:
        try:
            answer = httpx2.get(url, trust_env=False)
        except httpx2.HTTPError:
            time.sleep(0.05)
        else:
            assert answer.status_code == 200
            return answer.text
    raise AssertionError(f"no answer from {url}, exit {server.poll()}, path {os.environ.get('PATH')}")
