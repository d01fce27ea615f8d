"""A server that stops and starts behind a proxy."""

import threading
import time
from collections import Counter
from contextlib import ExitStack
from functools import partial

import httpx2

from tests.servers import eventually
from tools.proxies.checks import signed_webhook
from tools.proxies.stage import Stage, Two, serving


class _Load:
    """Clients that ask again as soon as they have their answer: half of them for a page, half with webhooks."""

    def __init__(self, stage: Stage, pause: float = 0) -> None:
        self.heard: Counter[str] = Counter()
        self._stage, self._enough, self._pause = stage, threading.Event(), pause
        self._threads = [threading.Thread(target=self._ask, args=(number,)) for number in range(8)]
        for thread in self._threads:
            thread.start()

    def answered_more_than(self, number: int) -> bool:
        return self.heard["200"] > number

    def end(self) -> None:
        self._enough.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, number: int) -> None:
        with self._stage.client() as http:
            while not self._enough.is_set():
                try:
                    status = self._once(http, number)
                except httpx2.HTTPError as error:
                    self.heard[type(error).__name__] += 1
                else:
                    self.heard[str(status)] += 1
                    time.sleep(0.05 if status == 502 else self._pause)

    def _once(self, http: httpx2.Client, number: int) -> int:
        if number % 2:
            body, headers = signed_webhook(number)
            return http.post("/api/line/webhook", content=body, headers=headers).status_code
        return http.get("/readyz").status_code


def restart_under_load(stage: Stage) -> str:
    """What the server has taken is answered. Only those who come while there is no server get 502."""
    before, load = len(stage.proxy_said()), _Load(stage)
    try:
        eventually(lambda: load.heard["200"] > 200)
        asked = time.monotonic()
        assert stage.server.stop() == 0
        stopped, heard = time.monotonic() - asked, load.heard.copy()
        with serving(stage.folder, int(stage.server.url.rpartition(":")[2]), stage.port):
            eventually(lambda: load.heard["200"] > heard["200"] + 200)
            load.end()
    finally:
        load.end()
    assert stopped < 10
    assert set(load.heard) <= {"200", "502"}, load.heard
    errors = [line for line in stage.proxy_said()[before:].splitlines() if "[error]" in line or '"error"' in line]
    assert not [line for line in errors if any(wrong in line for wrong in ("prematurely closed", "reset by", "EOF"))]
    return f"stopped in {stopped:.1f} s, until then {dict(heard)}, in all {dict(load.heard)}"


def nobody_there(stage: Stage) -> str:
    asked = time.monotonic()
    with stage.client() as http:
        told = http.get("/livez")
    assert told.status_code == 502
    return f"502 after {time.monotonic() - asked:.1f} s"


def rolling_restart(two: Two) -> str:
    """One server after the other stops and starts again. Only what reaches a server as it stops gets 502."""
    load = _Load(two.stage, pause=0.02)
    try:
        with ExitStack() as stack:
            eventually(lambda: load.heard["200"] > 200)
            for port, server in list(two.servers.items()):
                assert server.stop() == 0
                heard = load.heard["200"]
                eventually(partial(load.answered_more_than, heard + 100))
                stack.enter_context(two.start(port))
                # Caddy asks every two seconds, and leaves a server out for five after a failure.
                time.sleep(6)
            heard = load.heard["200"]
            eventually(lambda: load.heard["200"] > heard + 200)
            load.end()
    finally:
        load.end()
    assert set(load.heard) <= {"200", "502"}, load.heard
    assert load.heard["502"] < load.heard["200"] / 100, load.heard
    return f"in all {dict(load.heard)}"
