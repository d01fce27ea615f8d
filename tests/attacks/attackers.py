"""Clients that want to keep a server from its work, in a process of their own.

`python -m tests.attacks.attackers NAME PORT COOKIE CHANNEL` says "begun" when the attack is under way. It goes on until
its standard input ends, but no longer than two minutes, and says at the end how often it attacked. It imports little,
so that it begins at once.
"""

import asyncio
import base64
import contextlib
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from tests.sizes import size

LONGEST_SECONDS = 120
CLIENTS, SILENT = size(8, 64), size(300, 1_100)
HEAD_BYTES = size(10_000_000, 100_000_000)
CHUNK = b"x" * 65_536
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass
class Attack:
    """What every attacker needs: the server's port, a member's cookie, LINE's channel, and how much was done so far."""

    port: int
    cookie: str
    channel: str
    done: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    _numbers: "count[int]" = field(default_factory=count)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Streams]:
        """From an address that nobody has used before, because every limit counts by address."""
        number = next(self._numbers) % 60_000
        address = f"127.1.{number // 250}.{number % 250 + 1}"
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        try:
            yield reader, writer
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def count(self, enough: int) -> None:
        self.done += 1
        if self.done >= enough:
            self.begun.set()


def request(path: str, body: object = None, *, method: str = "POST", **headers: str) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    given = {"host": "x", "content-type": "application/json", "content-length": str(len(content)), **headers}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in given.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content


def forged_token(number: int, channel: str) -> str:
    """Only LINE can see that it is forged."""
    claims = {
        "iss": "https://access.line.me",
        "aud": channel,
        "sub": f"U{number:032x}",
        "exp": round(time.time()) + 600,
    }
    parts = (json.dumps(part).encode() for part in ({"alg": "ES256", "typ": "JWT", "kid": "k"}, claims, "signature"))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


async def response_in(reader: asyncio.StreamReader) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if b"content-length:" in head:
        await reader.readexactly(int(head.split(b"content-length:")[1].split(b"\r\n")[0]))


def flood(made: Callable[[int, Attack], bytes], *, per_connection: int = 1_000) -> Callable[[Attack], Awaitable[None]]:
    """Requests one after the other, as fast as the server answers."""

    async def run(attack: Attack) -> None:
        async with attack.connection() as (reader, writer):
            for _ in range(per_connection):
                writer.write(made(next(attack._numbers), attack))
                await response_in(reader)
                attack.count(CLIENTS)

    return run


async def endless_head(attack: Attack) -> None:
    async with attack.connection() as (_, writer):
        attack.count(1)
        writer.write(b"GET / HTTP/1.1\r\nhost: x\r\nx: ")
        for _ in range(HEAD_BYTES // len(CHUNK)):
            writer.write(CHUNK)
            await writer.drain()


async def silence(attack: Attack) -> None:
    async with attack.connection() as (reader, _):
        attack.count(SILENT)
        await reader.read()


def drip(first: bytes) -> Callable[[Attack], Awaitable[None]]:
    """The first bytes at once, then one byte at a time."""

    async def run(attack: Attack) -> None:
        async with attack.connection() as (reader, writer):
            attack.count(CLIENTS)
            writer.write(first)
            while not reader.at_eof():
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(0.1)

    return run


async def garbage(attack: Attack) -> None:
    async with attack.connection() as (reader, writer):
        writer.write(b"\x16\x03\x01 garbage\r\n\r\n")
        await reader.read()
        attack.count(CLIENTS)


NEW_STAFF = {"givenName": "太", "departmentId": "X", "jobTitle": "医師", "dateOfBirth": "1990-04-01", "sexCode": "2"}
ANSWER = {"status": "absent", "extra_text": "x" * 100}
ATTACKS: dict[str, Callable[[Attack], Awaitable[None]]] = {
    "endless_head": endless_head,
    "silence": silence,
    "dripping_head": drip(b"GET / HTTP/1.1\r\nx: "),
    "dripping_body": drip(b"POST /api/liff/session HTTP/1.1\r\nhost: x\r\ncontent-length: 9999\r\n\r\n"),
    "garbage": garbage,
    "readyz": flood(lambda _, __: request("/readyz", method="GET")),
    "forged_line_webhooks": flood(lambda _, __: request("/api/line/webhook", {}, x_line_signature="forged")),
    "forged_stripe_webhooks": flood(lambda _, __: request("/api/stripe/webhook", {}, stripe_signature="t=1,v1=x")),
    "answers_of_one_member": flood(
        lambda _, attack: request("/api/liff/events/1/respond", ANSWER, cookie=f"tsudoi_liff={attack.cookie}")
    ),
    "refused_requests": flood(lambda _, __: request("/api/admin/me", method="GET")),
    # Each of these from another address and with another name, so that only the queues stop them.
    "forged_id_tokens": flood(
        lambda n, attack: request("/api/liff/session", {"id_token": forged_token(n, attack.channel)}), per_connection=3
    ),
    "log_ins": flood(
        lambda n, _: request("/api/admin/login", {"username": f"admin{n}", "password": "wrong password"}),
        per_connection=3,
    ),
    "staff_log_ins": flood(lambda n, _: request("/auth/login", {"staffId": str(n), "pin": "9042"}), per_connection=3),
    "registrations": flood(
        lambda n, _: request("/api/staffs", {**NEW_STAFF, "pin": "7391", "staffId": str(n), "familyName": "山"}),
        per_connection=3,
    ),
}


async def again_and_again(attack: Attack, one: Callable[[Attack], Awaitable[None]]) -> None:
    while True:
        # The server may close the connection at any moment.
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await one(attack)
        await asyncio.sleep(0.001)


async def until_told_to_stop(name: str, attack: Attack) -> None:
    clients = SILENT if name == "silence" else CLIENTS
    tasks = [asyncio.create_task(again_and_again(attack, ATTACKS[name])) for _ in range(clients)]
    await asyncio.wait_for(attack.begun.wait(), LONGEST_SECONDS)
    os.write(1, b"begun\n")
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.to_thread(sys.stdin.read), LONGEST_SECONDS)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    os.write(1, f"{attack.done}\n".encode())


if __name__ == "__main__":
    _, attack_name, port_number, member_cookie, line_channel = sys.argv
    asyncio.run(until_told_to_stop(attack_name, Attack(int(port_number), member_cookie, line_channel)))
