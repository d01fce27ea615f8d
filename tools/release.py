"""Makes a release: `make release` writes dist/X.Y.Z/ with everything that a server installs, which needs no Node.

Nothing depends on tags, because a clone may have none. The release sets the tag where it is not there yet.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

from tools import sbom

ROOT = Path(__file__).resolve().parents[1]
_DEPLOY = ROOT / "docs" / "deploy"


def version(root: Path) -> str:
    with (root / "pyproject.toml").open("rb") as file:
        found: str = tomllib.load(file)["project"]["version"]
    return found


def faults(root: Path) -> list[str]:
    """Why this tree must not be released."""
    wanted, told = version(root), (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = []
    if changed := _git(root, "status", "--porcelain"):
        found.append(
            f"コミットしていない変更があります / the tree has changes that are not committed: {changed.splitlines()[0]}"
        )
    if not re.search(rf"^## {re.escape(wanted)} [–-] \d{{4}}-\d{{2}}-\d{{2}}$", told, re.MULTILINE):
        found.append(f"CHANGELOG.md に「## {wanted} – 日付」がありません / CHANGELOG.md has no dated section for it")
    if re.search(r"^## Unreleased\n+(?!## )\S", told, re.MULTILINE):
        found.append("CHANGELOG.md の Unreleased が空ではありません / its section Unreleased is not empty")
    return found


def assemble(target: Path) -> None:
    """Write the release of this tree into the folder, which does not exist yet. The pages have been built."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as kept:
        made = Path(kept) / target.name
        (made / "units").mkdir(parents=True)
        _build(ROOT, "sdist", made)
        # The wheel is made of the sdist, so that whoever has only the sdist makes the same one.
        with tarfile.open(next(made.glob("*.tar.gz"))) as archive:
            archive.extractall(kept, filter="data")
        _build(Path(kept) / f"tsudoi-{target.name}", "wheel", made)
        for unit in sorted((*_DEPLOY.glob("*.service"), *_DEPLOY.glob("*.timer"))):
            shutil.copy(unit, made / "units")
        for name in ("Caddyfile", "Caddyfile.two", "nginx.conf"):
            shutil.copy(_DEPLOY / name, made)
        shutil.copy(ROOT / "requirements.lock", made)
        shutil.copy(ROOT / ".env.example", made / "tsudoi.env.example")
        (made / sbom.TARGET.name).write_text(sbom.render(), encoding="utf-8")
        (made / "SHA256SUMS").write_text(_sums(made), encoding="utf-8")
        made.rename(target)


def _build(source: Path, kind: str, into: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(into)]
    subprocess.run(command, cwd=source, check=True, stdout=subprocess.DEVNULL)


def _sums(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in files)


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    wanted = version(ROOT)
    if found := faults(ROOT):
        sys.exit("\n".join((f"{wanted} は出せません / not released:", *(f"  - {fault}" for fault in found))))
    target = ROOT / "dist" / wanted
    shutil.rmtree(target, ignore_errors=True)
    assemble(target)
    if not _git(ROOT, "tag", "--list", f"v{wanted}"):
        _git(ROOT, "tag", f"v{wanted}")
    print(f"{target.relative_to(ROOT)}/ を作りました / made")


if __name__ == "__main__":
    main()
