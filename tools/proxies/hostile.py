"""What clients do that nobody wants, through a proxy."""

import socket
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress

import orjson

from tests.servers import eventually
from tools.proxies.checks import office
from tools.proxies.stage import CLIENT, Check, Stage

_SILENT = 1_100
_TOO_SLOW = 'tsudoi_connections_ended_total{reason="REQUEST_TOO_SLOW"}'
_HEAD = b"GET /livez HTTP/1.1\r\nhost: 127.0.0.1\r\n"
_BODY = b"POST /api/line/webhook HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\nhalf"


@contextmanager
def _connected(stage: Stage) -> Iterator[socket.socket]:
    with (
        socket.create_connection(("127.0.0.1", stage.port), timeout=60, source_address=(CLIENT, 0)) as plain,
        stage.trust.wrap_socket(plain, server_hostname="127.0.0.1") as caller,
    ):
        yield caller


def _ends(begin: bytes, drip: bytes, within: float, status: bytes = b"") -> Check:
    """A client that sends the beginning, and then a little each second, is cut off in time."""

    def check(stage: Stage) -> str:
        began, received = time.monotonic(), b""
        with _connected(stage) as caller, suppress(ConnectionError):
            caller.sendall(begin)
            caller.settimeout(1)
            while time.monotonic() - began < within:
                try:
                    part = caller.recv(65536)
                except TimeoutError:
                    caller.sendall(drip)
                    continue
                if not part:
                    break
                received += part
        took = time.monotonic() - began
        assert took < within, f"nobody ended it, and it heard {received[:60]!r}"
        assert received[9:12] in (status, b""), received
        return f"{received[9:12].decode() or 'closed'} after {took:.0f} s"

    return check


SLOW_CLIENTS: Mapping[str, Check] = {
    "silence": _ends(b"", b"", 20),
    "half a head": _ends(_HEAD, b"", 20, b"408"),
    "a head that drips": _ends(_HEAD, b"x: v\r\n", 20, b"408"),
    "a body that drips": _ends(_BODY, b"x", 50, b"408"),
    "silence after a request": _ends(_HEAD + b"\r\n", b"", 50, b"200"),
}


def half_a_body(stage: Stage) -> str:
    """The server is rid of it in time. Caddy goes on waiting for the client, up to `read_body`."""
    before, began = stage.metric(_TOO_SLOW), time.monotonic()
    with _connected(stage) as caller:
        caller.sendall(_BODY)
        caller.settimeout(0.1)
        eventually(lambda: stage.metric(_TOO_SLOW) > before or _is_closed(caller), seconds=50)
        return f"after {time.monotonic() - began:.0f} s"


def _is_closed(caller: socket.socket) -> bool:
    try:
        return caller.recv(65536) == b""
    except TimeoutError:
        return False


def large_heads(stage: Stage) -> str:
    """What the server takes passes; what is larger is refused, and nobody waits."""
    lines = {
        "one line of 15 kB": [15_000],
        "four of 7 kB": [7_000] * 4,
        "one of 17 kB": [17_000],
        "five of 7 kB": [7_000] * 5,
        "one of 40 kB": [40_000],
        "sixty of 7 kB": [7_000] * 60,
        "6,000 short ones": [1] * 6_000,
    }
    heard = {name: _status(stage, b"", sizes) for name, sizes in lines.items()}
    heard["an address of 17 kB"] = _status(stage, b"?" + b"a" * 17_000, [])
    fitting = [heard.pop("one line of 15 kB"), heard.pop("four of 7 kB")]
    assert fitting == ["200", "200"]
    assert set(heard.values()) <= {"431", "400", "414"}, heard
    return f"{heard}"


def _status(stage: Stage, query: bytes, sizes: list[int]) -> str:
    head = b"".join(b"x-%d: %s\r\n" % (number, b"v" * size) for number, size in enumerate(sizes))
    request = b"GET /livez%s HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n%s\r\n" % (query, head)
    with _connected(stage) as caller:
        with suppress(ConnectionError):
            caller.sendall(request)
        return caller.recv(65536)[9:12].decode()


def forged_addresses(stage: Stage) -> str:
    """The trace of a refused request has the address that the client really has, whatever it says."""
    path, addresses = "/api/admin/me", ("198.51.100.7", "198.51.100.7, 127.0.0.1", "127.0.0.1", "garbage", "")
    with stage.client() as http:
        for address in addresses:
            assert http.get(path, headers={"x-forwarded-for": address}).status_code == 401
            http.get(path, headers={"x-real-ip": address, "forwarded": f"for={address}"})
        http.get(path, headers=[("x-forwarded-for", "198.51.100.7"), ("x-forwarded-for", "198.51.100.8")])
    lines = [orjson.loads(line) for line in stage.server.said().splitlines()]
    clients = Counter(line["client"] for line in lines if line["event"] == "request_refused")
    assert set(clients) == {CLIENT}, clients
    return f"{clients.total()} traces, all of {CLIENT}"


def silent_connections(stage: Stage) -> str:
    """An office that is logged in, and somebody who is new, are served beside more than a thousand silent clients."""
    with office(stage) as http, ExitStack() as stack:
        for number in range(_SILENT):
            sent = (b"", _HEAD, _BODY)[number % 3]
            with suppress(OSError):
                stack.enter_context(_connected(stage)).sendall(sent)
        began = time.monotonic()
        for _ in range(20):
            assert http.get("/api/admin/me").status_code == 200
        with stage.client() as new:
            assert new.get("/livez").status_code == 200
        inside = stage.metric("tsudoi_connections ")
    return f"21 answers in {time.monotonic() - began:.1f} s; {inside:.0f} connections reached the server"
