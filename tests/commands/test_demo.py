"""The demo as two people meet it: one who starts it again, and one who types commands beside it."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.factories.processes import SECRETS, environment, without_where
from tests.servers import browser, eventually, free_port
from tsudoi.commands.demo import ADMIN, PASSWORD
from tsudoi.commands.demo_people import FRIENDS
from tsudoi.commands.demo_staff import PIN, STAFF_ID
from tsudoi.commands.demo_threads import THREADS

# A demo takes seconds to start, and on a machine with much to do far longer.
pytestmark = pytest.mark.timeout(600)
PROJECT = Path(__file__).parents[2]


def surroundings(folder: Path, **more: str) -> dict[str, str]:
    """Without secrets unless they are given: neither the demo nor a second terminal beside it needs any."""
    path = f"{PROJECT / 'src'}{os.pathsep}{PROJECT}"
    given = environment(folder, PYTHONPATH=path)
    return {name: value for name, value in given.items() if name not in (*SECRETS, "DATA_DIR")} | more


@dataclass(frozen=True)
class RunningDemo:
    """The demo in a process group of its own, as in a terminal."""

    process: subprocess.Popen[bytes]
    folder: Path
    out: Path
    product: httpx2.Client
    box: httpx2.Client

    def stop(self, number: signal.Signals) -> None:
        """To the whole group: as Ctrl-C reaches it, or as everything dies with the machine."""
        os.killpg(self.process.pid, number)
        self.process.wait(40)
        eventually(lambda: not self._answers(), seconds=20)

    def _answers(self) -> bool:
        try:
            self.box.get("/_sandbox/config")
        except httpx2.HTTPError:
            return False
        return True

    def typed(self, command: str, **more: str) -> subprocess.CompletedProcess[str]:
        """In a second terminal, in the folder that the demo was started in."""
        return subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.folder,
            env=surroundings(self.folder, **more),
            capture_output=True,
            text=True,
            check=False,
            timeout=200,
        )

    def command(self) -> str:
        """As the terminal of the demo shows it, run by this Python."""
        shown = self.out.read_text(encoding="utf-8").partition("in another terminal:")[2].strip()
        assert shown.endswith("tsudoi members sync")
        assignments = [word for word in shlex.split(shown) if "=" in word]
        return " ".join([*map(shlex.quote, assignments), sys.executable, "-m", "tsudoi"])

    def events(self) -> list[dict[str, Any]]:
        login = self.product.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD})
        login.raise_for_status()
        items: list[dict[str, Any]] = self.product.get("/api/admin/events").raise_for_status().json()["items"]
        return items


@contextmanager
def demo_in(folder: Path, ports: dict[str, str], **more: str) -> Iterator[RunningDemo]:
    out = folder / "out.txt"
    with out.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, "-m", "tsudoi", "demo"],
            cwd=folder,
            env=surroundings(folder, **ports, **more),
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    urls = (f"http://127.0.0.1:{ports[name]}" for name in ("PORT", "SANDBOX_PORT"))
    try:
        eventually(lambda: "members sync" in out.read_text(encoding="utf-8") or process.poll() is not None, seconds=200)
        assert process.poll() is None, out.read_text(encoding="utf-8")
        with browser(next(urls)) as product, browser(next(urls)) as box:
            yield RunningDemo(process, folder, out, product, box)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def ports() -> dict[str, str]:
    return {name: str(free_port()) for name in ("PORT", "SANDBOX_PORT", "SANDBOX_SMTP_PORT")}


def children_of(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def texts(box: httpx2.Client, user_id: str) -> list[tuple[str, str]]:
    messages = box.get(f"/_sandbox/users/{user_id}/chat").raise_for_status().json()["messages"]
    return [(entry["id"], str(entry["message"])) for entry in messages]


def kept(box: httpx2.Client) -> dict[str, Any]:
    """What must not differ after a restart. The calls may: the start itself makes some."""
    state: dict[str, Any] = box.get("/_sandbox/state").raise_for_status().json()
    del state["now"], state["calls"]
    return state


@dataclass(frozen=True)
class Left:
    """What a demo has left behind, as its sandbox and its office see it."""

    somebody: str
    state: dict[str, Any]
    chat: list[tuple[str, str]]
    events: list[dict[str, Any]]
    token: str


class TestStartedAgain:
    """One demo that is stopped in three ways. A start takes seconds, so what each start shows is looked at together."""

    def test_everything_is_there_once(self, tmp_path: Path, ports: dict[str, str]) -> None:
        # The secrets of a real channel in the environment do not lead the demo astray.
        with demo_in(tmp_path, ports, **SECRETS) as demo:
            self._shows_where_everything_is(demo, ports)
            first = self._used(demo, "明日まで", "block")
            demo.stop(signal.SIGINT)
        assert not (tmp_path / "var" / "demo-is-running.json").exists()
        with demo_in(tmp_path, ports) as demo:
            self._is_as_before(demo, first)
            second = self._used(demo, "つづき", "unblock")
            numbers = [number for number, _ in second.chat]
            assert len(set(numbers)) == len(numbers) == len(first.chat) + 1
            demo.stop(signal.SIGKILL)
        assert (tmp_path / "var" / "demo-is-running.json").exists()
        with demo_in(tmp_path, ports) as demo:
            self._is_as_before(demo, second)
            children = children_of(demo.process.pid)
            assert len(children) == 3
            demo.process.send_signal(signal.SIGINT)
            assert demo.process.wait(90) == 0, "told alone, it stops the others"
            eventually(lambda: not any(map(is_alive, children)))

    def _shows_where_everything_is(self, demo: RunningDemo, ports: dict[str, str]) -> None:
        shown = demo.out.read_text(encoding="utf-8")
        for part in (f":{ports['PORT']}/admin/", f":{ports['SANDBOX_PORT']}/", "/api/docs", "Ctrl-C"):
            assert part in shown
        assert f"{ADMIN} ／ {PASSWORD}" in shown
        assert f":{ports['PORT']}/staff/" in shown
        assert f"{STAFF_ID} ／ {PIN}" in shown
        demo.events()
        friends = sum(each.follows for each in FRIENDS)
        eventually(lambda: demo.product.get("/api/admin/overview").json()["friends"]["following"] == friends)
        states = [one["state"] for one in demo.product.get("/api/threads").raise_for_status().json()["threads"]]
        assert sorted(states) == ["impossible", "open", "open"]
        asked = {mail["subject"] for mail in demo.box.get("/_sandbox/mails").json()["mails"]}
        assert asked == {f"【日程のご相談】{thread.title}" for thread in THREADS}
        menu = demo.box.get("/_sandbox/rich_menu").json()["rich_menu"]
        assert [area["action"]["label"] for area in menu["areas"]] == ["出欠確認", "職員予約", "本人確認", "お知らせ"]
        assert demo.box.get(menu["image_url"]).headers["content-type"] == "image/png"

    def _used(self, demo: RunningDemo, words: str, deed: str) -> Left:
        """Somebody reads and writes, somebody else does the deed; gives what the next start must find."""
        eventually(lambda: demo.box.get("/_sandbox/quota").json()["total_usage"] >= 20, seconds=60)
        somebody, other = (person["user_id"] for person in demo.box.get("/_sandbox/users").json()["users"][:2])
        demo.box.post(f"/_sandbox/users/{somebody}/read").raise_for_status()
        demo.box.post(f"/_sandbox/users/{somebody}/messages", json={"text": words}).raise_for_status()
        demo.box.post(f"/_sandbox/users/{other}/{deed}").raise_for_status()
        token = demo.box.post(f"/_sandbox/users/{somebody}/id_token", json={}).json()["id_token"]
        # A webhook has an attempt as soon as the product has answered it.
        eventually(lambda: all(webhook["attempts"] for webhook in kept(demo.box)["webhooks"]))
        left = Left(somebody, kept(demo.box), texts(demo.box, somebody), demo.events(), token)
        # A kill loses what was not written yet, which is the last half second.
        [state_file] = (demo.folder / "var" / "sandbox").glob("*.json")

        def is_written() -> bool:
            content = state_file.read_text(encoding="utf-8")
            return words in content and '"attempts":[]' not in content.replace(" ", "")

        eventually(is_written)
        eventually(lambda: not demo.box.get("/_sandbox/answers").json()["running"])
        return left

    def _is_as_before(self, demo: RunningDemo, left: Left) -> None:
        assert kept(demo.box) == left.state
        assert texts(demo.box, left.somebody) == left.chat
        assert [event["id"] for event in demo.events()] == [event["id"] for event in left.events]
        picture = next(text for _, text in left.chat if "originalContentUrl" in text)
        url = picture.partition("'originalContentUrl': '")[2].partition("'")[0]
        assert demo.product.get(url).headers["content-type"] == "image/jpeg"
        demo.product.post("/api/liff/session", json={"id_token": left.token}).raise_for_status()
        self._a_known_retry_key_is_refused(demo, left.state)

    def _a_known_retry_key_is_refused(self, demo: RunningDemo, state: dict[str, Any]) -> None:
        key, accepted = next(iter(state["retry_keys"].items()))
        to = state["users"][0]["user_id"]
        body = {"to": [to] if accepted["endpoint"] == "multicast" else to, "messages": [{"type": "text", "text": "x"}]}
        headers = {"authorization": "Bearer demo-channel-access-token", "x-line-retry-key": key}
        again = demo.box.post(f"/v2/bot/message/{accepted['endpoint']}", json=body, headers=headers)
        assert again.status_code == 409


class TestBesideIt:
    def test_what_its_screens_say_to_type_works(self, tmp_path: Path, ports: dict[str, str]) -> None:
        with demo_in(tmp_path, ports) as demo:
            command = demo.command()
            sheet = demo.box.get("/_sandbox/sheets/tsudoi-demo/Members").json()["rows"]
            added = [*sheet, [41, "新井 新", 410, "member", "", "", "", ""]]
            demo.box.put("/_sandbox/sheets/tsudoi-demo/Members", json={"rows": added}).raise_for_status()
            done = demo.typed(f"{command} members sync")
            assert (done.returncode, without_where(done.stderr)[1]) == (0, "")
            demo.events()
            found = demo.product.get("/api/admin/members").json()["items"]
            assert "新井 新" in [member["name"] for member in found]
            for words in (
                "members sync --dry-run",
                "doctor",
                "richmenu publish",
                "audit verify",
                "booking check",
                "migrate",
                "logs list",
            ):
                done = demo.typed(f"{command} {words}")
                assert done.returncode == 0, (words, done.stdout, done.stderr)
            others = " ".join(f"{name}={free_port()}" for name in ports)
            again = demo.typed(f"{others} {command} demo")
            assert again.returncode == 1
            assert "already running" in again.stderr
            page = demo.box.get("/_sandbox/sheets/tsudoi-demo/Members/edit").text
            assert "tsudoi members sync" in page
            assert "tsudoi&quot;" in demo.product.get("/admin/").text
            self._has_groups_and_news(demo)
            demo.stop(signal.SIGKILL)
            assert (tmp_path / "var" / "demo-is-running.json").exists()
            assert demo.typed(f"{command} members sync").returncode == 2

    def _has_groups_and_news(self, demo: RunningDemo) -> None:
        groups = demo.product.get("/api/admin/audiences").json()["items"]
        assert [group["name"] for group in groups] == ["理事会", "総務部会", "広報部会", "防災部会"]
        assert [group["member_count"] for group in groups] == [6, 8, 7, 6]
        areas = demo.box.get("/_sandbox/rich_menu").json()["rich_menu"]["areas"]
        news = next(area["action"]["uri"] for area in areas if area["action"]["label"] == "お知らせ")
        assert "お知らせ" in demo.box.get(news).raise_for_status().text


class TestWithFewerParts:
    def test_it_starts_without_events(self, tmp_path: Path, ports: dict[str, str]) -> None:
        # A log-in is not finished while the second factor is missing, but the demo data are made all the same.
        with demo_in(tmp_path, ports, FEATURES="booking", ADMIN_TOTP="required") as demo:
            demo.product.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).raise_for_status()
            assert demo.product.get("/api/admin/me").json()["next_step"] == "totp"
            assert demo.product.get("/api/admin/events").status_code == 404
            assert demo.product.get("/api/threads").status_code == 404
            assert demo.product.get("/staff/").status_code == 200
            if sys.platform != "linux":
                demo.stop(signal.SIGINT)
                return
            children = children_of(demo.process.pid)
            demo.process.kill()
            demo.process.wait(40)
            eventually(lambda: not any(map(is_alive, children)))

    def test_it_starts_with_threads_alone(self, tmp_path: Path, ports: dict[str, str]) -> None:
        with demo_in(tmp_path, ports, FEATURES="scheduling") as demo:
            assert demo.product.get("/api/admin/events").status_code == 404
            demo.product.post("/api/admin/login", json={"username": ADMIN, "password": PASSWORD}).raise_for_status()
            threads = demo.product.get("/api/threads").raise_for_status().json()["threads"]
            assert {one["title"] for one in threads} == {thread.title for thread in THREADS}
            people = demo.box.get("/_sandbox/users").json()["users"]
            assert "山田 太郎" in [person["display_name"] for person in people if person["unread"]]
            demo.stop(signal.SIGINT)
