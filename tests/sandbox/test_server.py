import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from tests.servers import free_port
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import run, running

SOURCE = Path(__file__).parents[2] / "src"
PROGRAM = """
import sys
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import run
run(SandboxConfig(port=int(sys.argv[1]), smtp_port=0, channel_secret="s", channel_access_token="t",
    login_channel_id="1", liff_id="l", webhook_url=None, liff_endpoint_url="http://127.0.0.1:8000/liff/"))
"""


def wait_for(url: str) -> None:
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        try:
            httpx2.get(url, trust_env=False).raise_for_status()
        except httpx2.TransportError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("the sandbox did not start")


class TestRun:
    @pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
    def test_a_signal_ends_it_quietly_even_with_a_stream_open(self, sign: signal.Signals) -> None:
        port = free_port()
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(port)],
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/_sandbox/clock")
            with httpx2.stream("GET", f"http://127.0.0.1:{port}/_sandbox/stream", trust_env=False) as stream:
                lines = stream.iter_lines()
                assert next(lines).startswith(":")
                started = time.monotonic()
                process.send_signal(sign)
                _, errors = process.communicate(timeout=60)
                assert list(lines) == [""]
            assert time.monotonic() - started < 10
        finally:
            process.kill()
            process.wait()
        assert process.returncode == (0 if sign == signal.SIGINT else -signal.SIGTERM)
        assert errors == ""

    def test_a_taken_port_is_an_error_that_can_be_explained(self, config: SandboxConfig) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
            run(replace(config, port=taken.getsockname()[1]))


class TestRunning:
    def test_a_call_kept_waiting_does_not_keep_the_box_from_closing(self, config: SandboxConfig) -> None:
        ended: list[Exception] = []

        def call(url: str) -> None:
            try:
                httpx2.get(f"{url}/oauth2/v2.1/certs", timeout=20, trust_env=False)
            except httpx2.TransportError as error:
                ended.append(error)

        with running(config) as box:
            rules = {"rules": [{"kind": "timeout_before_accept"}]}
            httpx2.put(f"{box.url}/_sandbox/faults", json=rules, trust_env=False).raise_for_status()
            caller = threading.Thread(target=call, args=(box.url,))
            caller.start()
            while box.world.faults.rules[0].fired == 0:
                time.sleep(0.01)
            started = time.monotonic()
        caller.join(5)
        assert time.monotonic() - started < 10
        assert len(ended) == 1
