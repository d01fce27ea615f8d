"""G1 at its smallest: a process that acknowledges writes is killed, and every acknowledged row is there."""

import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.concurrency import acknowledge
from tests.sizes import size

KILLS = size(3, 200)


def _acknowledged_until_killed(path: Path, run: int, after: int) -> list[str]:
    command = [sys.executable, acknowledge.__file__, str(path), str(run)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        names = [process.stdout.readline() for _ in range(after)]
        process.kill()
        names += process.stdout.readlines()
    return [name.strip() for name in names if name.endswith("\n")]


class TestKilled:
    def test_at_any_moment_loses_nothing_that_was_acknowledged(self, tmp_path: Path) -> None:
        path, seed = tmp_path / "test.sqlite3", random.randrange(10**6)
        moments = random.Random(seed)
        acknowledged: set[str] = set()
        for run in range(KILLS):
            names = _acknowledged_until_killed(path, run, moments.randint(1, 400))
            assert names, f"seed {seed}"
            acknowledged.update(names)
            with closing(sqlite3.connect(path)) as connection:
                stored = {name for (name,) in connection.execute("SELECT name FROM acknowledged")}
                assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert not acknowledged - stored, f"seed {seed}"
