"""The morning at nine: many log-ins at once with real Argon2 parameters, from one address, and what others notice."""

import asyncio
import hashlib
import hmac
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from bench.hospital import PIN, fill_masters, fill_staff, opened, pin_hash
from bench.load import request
from bench.ours import PIN_PEPPER
from bench.serving import serving
from bench.table import Row
from tsudoi.booking.pins.jobs import ARGON2

STAFF, CLIENTS, SECONDS = 300, 64, 10
_BARE_HASHES = 24


@dataclass(frozen=True)
class Response:
    """What one request got: its status and headers in lower case, and how long it took."""

    status: str
    head: bytes
    seconds: float


def measure() -> list[Row]:
    bare, cpu = _bare(), list[float]()
    # Two hospitals, because the log-ins of one address are limited to 600 a minute.
    with _hospital(cpu) as port:
        started = time.perf_counter()
        logins, alive = asyncio.run(_rush(port))
        # The last ones were still in the queue when the time was over; they count, and so does their time.
        per_second = len(logins) / (time.perf_counter() - started)
    with _hospital() as port:
        morning = asyncio.run(_morning(port))
    times = sorted(one.seconds * 1000 for one in alive)
    waits = sorted(one.seconds for one in logins)
    assert {one.status for one in (*logins, *alive)} == {"200"}
    return [
        Row(
            f"log-ins, {CLIENTS} clients (baseline: two threads of Argon2 and nothing else)",
            f"{per_second:.1f}/s  p50 {waits[len(waits) // 2]:.1f} s  CPU {cpu[0] / len(logins) * 1000:.0f} ms each",
            f"{bare:.1f}/s",
            per_second / bare,
        ),
        Row(
            "/livez during these log-ins",
            f"p50 {times[len(times) // 2]:.0f} ms  p99 {times[int(len(times) * 0.99)]:.0f} ms",
            aim="p99 < 200 ms",
        ),
        Row(f"{STAFF} staff log in at once from one address, retrying as told", morning, aim="in 1 to 2 minutes"),
    ]


@contextmanager
def _hospital(cpu: list[float] | None = None) -> Iterator[int]:
    with tempfile.TemporaryDirectory() as folder:
        _, db = opened(folder)
        db.write_now(fill_masters)
        db.write_now(fill_staff, STAFF)
        db.close()
        with serving("bench.ours:plain", cpu, BENCH_FOLDER=folder) as port:
            yield port


def _bare() -> float:
    """Log-ins per second that two threads of Argon2 allow at the most, on this machine and at this moment."""
    stored, peppered = pin_hash(), hmac.new(PIN_PEPPER.encode(), PIN.encode(), hashlib.sha256).digest()
    started = time.perf_counter()
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda _: ARGON2.verify(stored, peppered), range(_BARE_HASHES)))
    return _BARE_HASHES / (time.perf_counter() - started)


async def _rush(port: int) -> tuple[list[Response], list[Response]]:
    """Clients that log in again and again, each as other people, and one that asks whether the process is alive."""
    until = time.perf_counter() + SECONDS
    logins: list[Response] = []
    alive: list[Response] = []

    async def log_in(first: int) -> None:
        number = first
        while time.perf_counter() < until:
            logins.append(await _ask(port, _login(number % STAFF + 1)))
            number += CLIENTS

    async def look() -> None:
        while time.perf_counter() < until:
            alive.append(await _ask(port, request("GET", "/livez")))
            await asyncio.sleep(0.02)

    await asyncio.gather(look(), *(log_in(number) for number in range(CLIENTS)))
    return logins, alive


async def _morning(port: int) -> str:
    """Everybody sends one log-in at the same moment; who gets 503 tries again after the time that the header says."""
    started, statuses = time.perf_counter(), Counter[str]()
    longest = 0.0

    async def person(number: int) -> float:
        nonlocal longest
        while True:
            found = await _ask(port, _login(number))
            statuses[found.status] += 1
            longest = max(longest, found.seconds)
            if found.status == "200":
                return time.perf_counter() - started
            assert found.status == "503", found
            await asyncio.sleep(int(found.head.split(b"retry-after:", 1)[1].split(b"\r\n", 1)[0]))

    done = sorted(await asyncio.gather(*(person(number) for number in range(1, STAFF + 1))))
    return (
        f"half in {done[len(done) // 2]:.0f} s, all in {done[-1]:.0f} s; longest wait {longest:.0f} s; {dict(statuses)}"
    )


def _login(number: int) -> bytes:
    body = f'{{"staffId":"{100_000 + number}","pin":"{PIN}"}}'.encode()
    return request("POST", "/auth/login", body, {"content-type": "application/json", "connection": "close"})


async def _ask(port: int, asked: bytes) -> Response:
    started = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(asked)
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    await reader.readexactly(int(head.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0]))
    writer.close()
    return Response(head[9:12].decode(), head, time.perf_counter() - started)
