"""A sync compares sheet and roster in memory: about a kilobyte for each row, 180 MB more at the most rows."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.factories.processes import environment
from tests.sizes import size

SHORT, LONG = 2_000, size(20_000, 40_000)
# Measured: 1.0 kB for each row of a first sync. A second copy of the rows would break this bound.
MOST_KB_PER_ROW = 1.5
# Not `ru_maxrss`, which begins with what the process of the tests has.
CHILD = """
import sys
from pathlib import Path
from tsudoi.commands.members import SyncArguments, run_sync
assert run_sync(SyncArguments(file=Path(sys.argv[1]))) == 0
with open("/proc/self/status") as status:
    print(next(line for line in status if line.startswith("VmHWM")).split()[1], file=sys.stderr)
"""


def peak_mb(folder: Path, rows: int, template: Path) -> float:
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "tsudoi.sqlite3").write_bytes(template.read_bytes())
    path = folder / "members.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("id,氏名,表示順,line_user_id,email\n")
        file.writelines(f"{n},会員 {n:06},{n},U{n:032x},member{n}@example.jp\n" for n in range(1, rows + 1))
    command = [sys.executable, "-c", CHILD, str(path)]
    done = subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert f"{rows:,}" in done.stdout
    return int(done.stderr.splitlines()[-1]) / 1024


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def test_memory_grows_by_a_kilobyte_for_each_row(tmp_path: Path, migrated_sqlite: Path) -> None:
    short = peak_mb(tmp_path / "short", SHORT, migrated_sqlite)
    long = peak_mb(tmp_path / "long", LONG, migrated_sqlite)
    growth = (long - short) * 1024 / (LONG - SHORT)
    assert growth < MOST_KB_PER_ROW, f"{short:.0f} MB for {SHORT:,} rows, {long:.0f} MB for {LONG:,}"
