import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.concurrency.threads import at_once
from tests.conftest import NOON
from tsudoi.core.ndjson import DailyFile, line

LINE_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
# Every code point, lone surrogates too, and many of those that end a line somewhere.
hostile_text = st.text(st.one_of(st.characters(codec=None), st.sampled_from(LINE_BREAKS + '\ud800\udfff\x00"\\')))
hostile_values = st.recursive(
    st.one_of(hostile_text, st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(hostile_text, inner, max_size=3)),
    max_leaves=8,
)
APPENDER = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from tsudoi.core.ndjson import DailyFile
file = DailyFile(Path(sys.argv[1]), "P-")
for number in range(200):
    file.append(datetime(2025, 8, 16, 3, tzinfo=UTC), [{"who": sys.argv[2], "n": number, "pad": "x" * 2000}])
"""


def _joined(value: Any) -> Any:
    """Two surrogates that happen to stand together are one character once they were written and read."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    if isinstance(value, list):
        return [_joined(entry) for entry in value]
    if isinstance(value, dict):
        return {_joined(key): _joined(entry) for key, entry in value.items()}
    return value


class TestLine:
    @given(st.dictionaries(hostile_text, hostile_values, max_size=4))
    def test_is_one_line_that_parses_back(self, record: dict[str, Any]) -> None:
        written = line(record)
        assert len(written.splitlines()) == 1
        assert not set(written) & set(LINE_BREAKS)
        assert _joined(json.loads(written.encode())) == _joined(record)

    @pytest.mark.parametrize("character", LINE_BREAKS)
    def test_escapes_whatever_ends_a_line_somewhere(self, character: str) -> None:
        assert line({"a": f"x{character}y"}) != f'{{"a":"x{character}y"}}'
        assert json.loads(line({"a": f"x{character}y"})) == {"a": f"x{character}y"}

    def test_leaves_japanese_readable(self) -> None:
        assert line({"名前": "山田 😀"}) == '{"名前":"山田 😀"}'

    @pytest.mark.parametrize("number", [float("nan"), float("inf")])
    def test_refuses_what_is_not_json(self, number: float) -> None:
        with pytest.raises(ValueError, match="JSON"):
            line({"n": number})


class TestDailyFile:
    def test_the_day_is_the_japanese_one(self, tmp_path: Path) -> None:
        file = DailyFile(tmp_path, "WEBHOOK-")
        assert file.path(datetime(2025, 8, 16, 14, 59, 59, tzinfo=UTC)).name == "WEBHOOK-2025-08-16.ndjson"
        assert file.path(datetime(2025, 8, 16, 15, 0, tzinfo=UTC)).name == "WEBHOOK-2025-08-17.ndjson"

    def test_appends_below_a_folder_that_it_makes(self, tmp_path: Path) -> None:
        file = DailyFile(tmp_path / "a" / "b")
        file.append(NOON, [{"n": 1}, {"n": 2}])
        file.append(NOON, [{"n": 3}])
        assert file.path(NOON).read_text() == '{"n":1}\n{"n":2}\n{"n":3}\n'

    def test_nothing_to_say_makes_no_file(self, tmp_path: Path) -> None:
        file = DailyFile(tmp_path / "quiet")
        file.append(NOON, [])
        assert not (tmp_path / "quiet").exists()

    def test_is_not_for_everybody_to_read(self, tmp_path: Path) -> None:
        file = DailyFile(tmp_path)
        file.append(NOON, [{"n": 1}])
        assert file.path(NOON).stat().st_mode & 0o007 == 0

    def test_takes_a_lone_surrogate(self, tmp_path: Path) -> None:
        file = DailyFile(tmp_path)
        file.append(NOON, [{"text": "\ud83d"}])
        assert json.loads(file.path(NOON).read_bytes()) == {"text": "\ud83d"}

    def test_a_write_that_the_disk_takes_in_parts_is_completed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import os  # noqa: PLC0415 (only to be replaced)

        write = os.write
        monkeypatch.setattr(os, "write", lambda handle, data: write(handle, bytes(data)[:5]))
        file = DailyFile(tmp_path)
        file.append(NOON, [{"text": "longer than five bytes"}])
        assert json.loads(file.path(NOON).read_text()) == {"text": "longer than five bytes"}

    def test_lines_of_many_threads_do_not_mix(self, tmp_path: Path) -> None:
        file = DailyFile(tmp_path)

        def write(number: int) -> None:
            for n in range(100):
                file.append(NOON, [{"who": number, "n": n, "pad": "x" * 2000}])

        at_once(8, write)
        self._assert_whole(file.path(NOON), 8, 100)

    def test_lines_of_many_processes_do_not_mix(self, tmp_path: Path) -> None:
        command = [sys.executable, "-c", APPENDER, str(tmp_path)]
        processes = [subprocess.Popen([*command, str(number)]) for number in range(3)]
        assert [process.wait(60) for process in processes] == [0, 0, 0]
        self._assert_whole(DailyFile(tmp_path, "P-").path(NOON), 3, 200)

    def test_a_full_file_becomes_a_part_of_its_day(self, tmp_path: Path) -> None:
        file = DailyFile(tmp_path, "P-", largest=100)
        for number in range(9):
            file.append(NOON, [{"n": number, "pad": "x" * 40}])
        names = [path.name for path in file.paths(NOON)]
        assert names == [*(f"P-2025-08-16.{part}.ndjson" for part in (1, 2, 3, 4)), "P-2025-08-16.ndjson"]
        assert [path.name for path in tmp_path.iterdir() if "P-" not in path.name] == []
        lines = [json.loads(line) for path in file.paths(NOON) for line in path.read_text().splitlines()]
        assert [line["n"] for line in lines] == list(range(9))

    def test_the_tenth_part_comes_after_the_ninth(self, tmp_path: Path) -> None:
        file = DailyFile(tmp_path, largest=1)
        for number in range(12):
            file.append(NOON, [{"n": number}])
        assert [json.loads(path.read_text())["n"] for path in file.paths(NOON)] == list(range(12))

    def test_only_so_many_files_are_kept_and_the_oldest_go_first(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").touch()
        (tmp_path / "Q-2020-01-01.ndjson").touch()
        (tmp_path / "P-2025-08-01.ndjson").touch()
        file = DailyFile(tmp_path, "P-", largest=1, most=3)
        for number in range(5):
            file.append(NOON, [{"n": number}])
        assert [path.name for path in file.paths(NOON)] == [f"P-2025-08-16.{n}.ndjson" for n in (3, 4, 5)]
        others = {path.name for path in tmp_path.iterdir()} - {path.name for path in file.paths(NOON)}
        assert others == {"notes.txt", "Q-2020-01-01.ndjson"}

    def test_lines_of_many_processes_survive_the_change_of_files(self, tmp_path: Path) -> None:
        program = APPENDER.replace('"P-")', '"P-", largest=20_000)')
        assert program != APPENDER
        command = [sys.executable, "-c", program, str(tmp_path)]
        processes = [subprocess.Popen([*command, str(number)]) for number in range(3)]
        assert [process.wait(60) for process in processes] == [0, 0, 0]
        paths = DailyFile(tmp_path, "P-").paths(NOON)
        assert len(paths) > 20
        records = [json.loads(text) for path in paths for text in path.read_text().splitlines()]
        assert sorted((record["who"], record["n"]) for record in records) == [
            (str(who), number) for who in range(3) for number in range(200)
        ]

    def _assert_whole(self, path: Path, writers: int, each: int) -> None:
        records = [json.loads(text) for text in path.read_text().splitlines()]
        assert len(records) == writers * each
        for who in {record["who"] for record in records}:
            assert [record["n"] for record in records if record["who"] == who] == list(range(each))
