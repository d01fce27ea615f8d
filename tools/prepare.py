"""Makes what `make` needs and does not have yet: the virtual environment, Node, the pages, a browser.

Runs on a bare Python (standard library only). Each step leaves a stamp with the hash of what it was made from, so that
it is done again when that changes and not otherwise.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / "bin"
WEB = ROOT / "web"
NODE_AT_LEAST = (20, 19)
PYTHON_AT_LEAST = (3, 11)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_BROWSERS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
BROWSER_PACKAGES = ("chromium", "fonts-noto-cjk", "fonts-noto-color-emoji")


def main(steps: list[str]) -> None:
    known = {"run": runtime, "dev": development, "web": pages, "browser": browser}
    with ThreadPoolExecutor(1) as beside:
        # npm and pip keep one core each busy.
        if "web" in steps and _has_good_node():
            _environment()
            packages = beside.submit(_node_packages, dict(os.environ))
        else:
            packages = None
        for step in steps:
            if step == "web" and packages is not None:
                packages.result()
            known[step]()


def runtime() -> None:
    """The product and what it runs on."""
    _environment()
    lock = ROOT / "requirements.lock"
    _once("runtime", [lock], lambda: _pip("install", "--require-hashes", "-r", str(lock)))
    _once("product", [ROOT / "pyproject.toml"], _install_product)


def development() -> None:
    """The tools that test it."""
    runtime()
    lock = ROOT / "requirements-dev.lock"
    _once("development", [lock], lambda: _pip("install", "--require-hashes", "-r", str(lock)))


def pages() -> None:
    """The built web pages, from the sources as they are now."""
    _environment()
    environment = _with_node()
    _node_packages(environment)
    sources = sorted(path for path in WEB.rglob("*") if path.is_file() and "node_modules" not in path.parts)
    _once(
        "pages",
        sources,
        lambda: _run(["npm", "run", "--silent", "build"], WEB, environment),
        made=ROOT / "src/tsudoi/static",
    )


def _node_packages(environment: dict[str, str]) -> None:
    _once(
        "npm",
        [WEB / "package-lock.json", WEB / ".npmrc"],
        lambda: _run(["npm", "ci", "--no-audit", "--no-fund"], WEB, environment),
        made=WEB / "node_modules",
    )


def browser() -> None:
    """A real Chromium for the browser tests: found, or installed by apt when we are root, or asked for."""
    if find_browser():
        return
    if shutil.which("apt-get") and os.geteuid() == 0:
        say("Chromium をインストールします / installing Chromium with apt")
        _run(["apt-get", "update", "-qq"])
        _run(
            ["apt-get", "install", "-y", "-qq", *BROWSER_PACKAGES],
            environment={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )
    if not find_browser():
        sys.exit(
            "Chromium が見つかりません / no Chromium found. Type:\n"
            f"    sudo apt-get install -y {' '.join(BROWSER_PACKAGES)}\n"
            "or set CHROMIUM to the path of a Chrome or Chromium."
        )


def find_browser() -> str | None:
    given = os.environ.get("CHROMIUM")
    candidates = [given] if given else [shutil.which(name) for name in BROWSERS] + list(MAC_BROWSERS)
    return next((path for path in candidates if path and Path(path).exists()), None)


def _environment() -> None:
    if sys.version_info < PYTHON_AT_LEAST:
        found = sys.version.split()[0]
        sys.exit(f"Python 3.11 以上が必要です / 3.11 or newer is needed, this is {found} → PYTHON=python3.12 make …")
    if (BIN / "python").exists():
        return
    say("仮想環境を作ります / making the virtual environment")
    try:
        venv.create(VENV, with_pip=True, clear=True)
    except (subprocess.CalledProcessError, ImportError):
        shutil.rmtree(VENV, ignore_errors=True)
        _install_venv_support()
        venv.create(VENV, with_pip=True, clear=True)


def _install_venv_support() -> None:
    """Debian keeps the part of Python that makes environments in a package of its own."""
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    if not (shutil.which("apt-get") and os.geteuid() == 0):
        sys.exit(
            f"仮想環境を作れません / cannot make a virtual environment. Type:\n    sudo apt-get install -y {package}"
        )
    _run(["apt-get", "update", "-qq"])
    _run(["apt-get", "install", "-y", "-qq", package])


def _install_product() -> None:
    _pip("install", "--no-deps", "--no-build-isolation", "-e", str(ROOT))


def _with_node() -> dict[str, str]:
    """The environment in which `npm` is a good one: the system's when it is new enough, otherwise one from PyPI."""
    if _has_good_node():
        return dict(os.environ)
    lock = ROOT / "requirements-node.lock"
    _once("node", [lock], lambda: _pip("install", "--require-hashes", "-r", str(lock)))
    return {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}


def _has_good_node() -> bool:
    return _node_version(shutil.which("node")) >= NODE_AT_LEAST and shutil.which("npm") is not None


def _node_version(node: str | None) -> tuple[int, int]:
    if node is None:
        return (0, 0)
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _once(name: str, made_from: Iterable[Path], make: Callable[[], None], made: Path | None = None) -> None:
    stamp = VENV / f".made-{name}"
    wanted = _hash(made_from)
    if stamp.exists() and stamp.read_text() == wanted and (made is None or made.exists()):
        return
    say(f"準備しています / preparing: {name}")
    make()
    stamp.write_text(wanted)


def _hash(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        if path.exists():
            digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _pip(*arguments: str) -> None:
    _run([str(BIN / "python"), "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments])


def _run(command: list[str], folder: Path = ROOT, environment: dict[str, str] | None = None) -> None:
    finished = subprocess.run(command, cwd=folder, env=environment, check=False)
    if finished.returncode:
        sys.exit(f"失敗しました / failed: {' '.join(command)}")


def say(text: str) -> None:
    print(f"· {text}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
