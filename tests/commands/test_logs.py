"""`tsudoi logs`: finding and reading out the NDJSON files."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.factories.processes import environment, without_where
from tests.factories.terminal import Terminal
from tsudoi.core.ndjson import DailyFile


@pytest.fixture
def terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Terminal:
    monkeypatch.chdir(tmp_path)
    return Terminal(tmp_path, monkeypatch, capsys)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "logs"
    put(folder / "line" / "WEBHOOK-2025-08-16.ndjson", *(line("2025-08-16T09:00:0%d", n, "follow") for n in (1, 4)))
    put(folder / "line" / "REGISTER-2025-08-16.ndjson", line("2025-08-16T09:00:0%d", 2, "register"))
    put(folder / "push" / "2025-08-16.ndjson", line("2025-08-16T09:00:0%d", 3, "event"))
    put(folder / "push" / "2025-08-17.ndjson", line("2025-08-17T00:00:0%d", 0, "event"))
    put(folder / "line" / "WEBHOOK-2025-13-45.ndjson", "no day of ours")
    put(folder / "line" / "notes.txt", "no log")
    return folder


def line(ts: str, second: int, kind: str) -> str:
    return json.dumps({"ts": f"{ts % second}+09:00", "kind": kind, "name": "山田"}, ensure_ascii=False) + "\n"


def put(path: Path, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")


def moments(out: str) -> list[str]:
    return [json.loads(each)["ts"][8:19] for each in out.splitlines()]


ALL = ["16T09:00:01", "16T09:00:02", "16T09:00:03", "16T09:00:04", "17T00:00:00"]


class TestList:
    def test_shows_kind_day_lines_and_bytes(self, terminal: Terminal, logs: Path) -> None:
        done = terminal("logs", "list")
        rows = [[cell.strip() for cell in row.split("│")[1:-1]] for row in done.out.splitlines() if "2025-" in row]
        size = str((logs / "line" / "WEBHOOK-2025-08-16.ndjson").stat().st_size)
        assert (done.code, done.err) == (0, "")
        assert [row[:3] for row in rows] == [
            ["push", "2025-08-16", "1"],
            ["register", "2025-08-16", "1"],
            ["webhook", "2025-08-16", "2"],
            ["push", "2025-08-17", "1"],
        ]
        assert rows[2][3] == size

    @pytest.mark.usefixtures("logs")
    def test_of_one_kind(self, terminal: Terminal) -> None:
        out = terminal("logs", "list", "--kind", "register").out
        assert "register" in out
        assert "push" not in out

    def test_when_there_is_nothing(self, terminal: Terminal) -> None:
        done = terminal("logs", "list")
        assert (done.code, done.out) == (0, "")
        assert "no such logs" in done.err


@pytest.fixture
def parts(logs: Path) -> None:
    """The day was busy: its first lines are in two parts that were full."""
    for part in (1, 2):
        put(logs / "line" / f"WEBHOOK-2025-08-16.{part}.ndjson", line("2025-08-16T08:00:%02d", part * 10, "follow"))


class TestParts:
    @pytest.mark.usefixtures("parts")
    def test_of_a_day_are_listed_as_one(self, terminal: Terminal) -> None:
        out = terminal("logs", "list", "--kind", "webhook").out
        [row] = [[cell.strip() for cell in row.split("│")[1:-1]] for row in out.splitlines() if "2025-" in row]
        assert row[:3] == ["webhook", "2025-08-16", "4"]

    @pytest.mark.usefixtures("parts")
    def test_are_pulled_in_their_order(self, terminal: Terminal) -> None:
        assert moments(terminal("logs", "pull").out) == ["16T08:00:10", "16T08:00:20", *ALL]


class TestPull:
    @pytest.mark.usefixtures("logs")
    def test_prints_everything_in_the_order_of_time(self, terminal: Terminal) -> None:
        done = terminal("logs", "pull")
        assert (done.code, done.err) == (0, "")
        assert moments(done.out) == ALL
        assert "山田" in done.out

    @pytest.mark.usefixtures("logs")
    @pytest.mark.parametrize(
        ("options", "wanted"),
        [
            (["--from", "2025-08-17"], ALL[4:]),
            (["--to", "2025-08-16"], ALL[:4]),
            (["--from", "2025-08-16", "--to", "2025-08-17"], ALL),
            (["--kind", "push"], [ALL[2], ALL[4]]),
            (["--kind", "webhook", "--from", "2025-08-16", "--to", "2025-08-16"], [ALL[0], ALL[3]]),
            (["--from", "2030-01-01"], []),
        ],
    )
    def test_of_a_kind_and_some_days(self, terminal: Terminal, options: list[str], wanted: list[str]) -> None:
        assert moments(terminal("logs", "pull", *options).out) == wanted

    def test_the_day_is_the_japanese_one(self, terminal: Terminal, tmp_path: Path) -> None:
        late = datetime(2025, 8, 16, 15, 30, tzinfo=UTC)
        DailyFile(tmp_path / "data" / "logs" / "push").append(late, [{"ts": "2025-08-17T00:30:00+09:00"}])
        assert terminal("logs", "pull", "--to", "2025-08-16").out == ""
        assert moments(terminal("logs", "pull", "--from", "2025-08-17").out) == ["17T00:30:00"]

    @pytest.mark.usefixtures("logs")
    def test_into_a_file(self, terminal: Terminal, tmp_path: Path) -> None:
        done = terminal("logs", "pull", "--out", "all.ndjson")
        assert (done.code, done.out) == (0, "")
        assert moments((tmp_path / "all.ndjson").read_text(encoding="utf-8")) == ALL
        refused = terminal("logs", "pull", "--out", "no/such/folder")
        assert refused.code == 1
        assert "no/such/folder" in refused.err

    @pytest.mark.parametrize("rest", [b'{"ts":"2025-08-16T09', b"\xff\xfe\n", b"\x00\x00\n", b"\n"])
    def test_a_broken_line_is_left_out_with_a_note(self, terminal: Terminal, logs: Path, rest: bytes) -> None:
        with (logs / "line" / "WEBHOOK-2025-08-16.ndjson").open("ab") as file:
            file.write(rest)
        done = terminal("logs", "pull")
        assert (done.code, moments(done.out)) == (0, ALL)
        assert "WEBHOOK-2025-08-16.ndjson:3" in done.err

    def test_a_last_line_without_its_end_is_kept(self, terminal: Terminal, logs: Path) -> None:
        path = logs / "push" / "2025-08-16.ndjson"
        path.write_bytes(path.read_bytes().rstrip(b"\n"))
        assert moments(terminal("logs", "pull").out) == ALL

    @pytest.mark.usefixtures("logs")
    @pytest.mark.parametrize(
        "options",
        [
            ["--from", "2025-8-1"],
            ["--from", "2025-02-30"],
            ["--to", "yesterday"],
            ["--to", "2025-W33-1"],
            ["--from", "２０２５-08-16"],
            ["--from", "2025-08-17", "--to", "2025-08-16"],
        ],
    )
    @pytest.mark.parametrize("verb", ["list", "pull"])
    def test_a_day_that_is_none_is_refused(self, terminal: Terminal, verb: str, options: list[str]) -> None:
        done = terminal("logs", verb, *options)
        assert (done.code, done.out) == (1, "")
        assert options[1] in done.err

    def test_a_reader_that_leaves_is_no_failure(self, tmp_path: Path) -> None:
        put(tmp_path / "data" / "logs" / "push" / "2025-08-16.ndjson", line("2025-08-16T09:00:0%d", 1, "event") * 5_000)
        pull = subprocess.Popen(
            [sys.executable, "-m", "tsudoi", "logs", "pull"],
            cwd=tmp_path,
            env=environment(tmp_path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert pull.stdout is not None
        assert pull.stderr is not None
        assert pull.stdout.readline()
        pull.stdout.close()
        said = pull.stderr.read()
        pull.stderr.close()
        assert (pull.wait(20), without_where(said.decode())[1]) == (0, "")
