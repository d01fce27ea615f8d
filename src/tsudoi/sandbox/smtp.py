"""The mail server of the sandbox: it takes every mail into the mailbox, and goes wrong as the fault rules say.

It runs in the event loop of the other servers, because the state belongs to that loop.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any
from weakref import WeakSet

from aiosmtpd.smtp import SMTP, Envelope, Session

from tsudoi.sandbox.fault_places import SMTP_ENDPOINT, FaultKind
from tsudoi.sandbox.faults import Fault
from tsudoi.sandbox.state import World

HOSTNAME = "mail.sandbox.example"
LARGEST_MAIL = 10 * 1024 * 1024
# A reply that drips has one byte in this time, and no end.
DRIP_SECONDS = 0.2
# Each kind of refusal, and the command that gets it.
_REFUSED_SENDER = {FaultKind.SMTP_421: "421 4.3.2 The service is shutting down"}
_REFUSED_RECIPIENT = {
    FaultKind.SMTP_450: "450 4.2.0 Greylisted, please try again later",
    FaultKind.SMTP_550: "550 5.1.1 No such user here",
}


class MailServerHandler:
    """The handler of one connection, with the fault that the connection has drawn."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._fault: Fault | None = None

    async def handle_MAIL(  # noqa: N802 (the names and parameters of aiosmtpd)
        self, server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Each mail draws its fault once, here."""
        self._fault = self._world.faults.decide(SMTP_ENDPOINT)
        self._world.changed.set()
        if self._fault is not None and self._fault.kind is FaultKind.DROP_CONNECTION:
            await _hang_up(server)
        if self._fault is not None and self._fault.kind in _REFUSED_SENDER:
            await _say_good_bye(server, _REFUSED_SENDER[self._fault.kind])
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        fault = self._fault
        if fault is not None and fault.kind in _REFUSED_RECIPIENT:
            return _REFUSED_RECIPIENT[fault.kind]
        if fault is not None and fault.kind is FaultKind.SMTP_SILENCE:
            await self._be_silent(server, fault.seconds)
        if fault is not None and fault.kind is FaultKind.SMTP_DRIP:
            await self._drip(server, fault.seconds)
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        fault = self._fault
        if fault is not None and fault.kind is FaultKind.TIMEOUT_BEFORE_ACCEPT:
            await self._be_silent(server, fault.seconds)
        if fault is not None and fault.kind is FaultKind.SLOW:
            await self._wait(fault.seconds)
        assert envelope.mail_from is not None  # noqa: S101 (`handle_MAIL` set it)
        assert isinstance(envelope.content, bytes)  # noqa: S101 (the server does not decode)
        mail = self._world.accept_mail(envelope.mail_from, list(envelope.rcpt_tos), envelope.content)
        if fault is not None and fault.kind is FaultKind.TIMEOUT_AFTER_ACCEPT:
            await self._be_silent(server, fault.seconds)
        return f"250 2.0.0 OK: queued as {mail.id}"

    async def _wait(self, seconds: float) -> None:
        """Until the time is over, the sandbox stops, or the peer hangs up, which cancels this task."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._world.stream.closing.wait(), seconds)

    async def _be_silent(self, server: SMTP, seconds: float) -> None:
        await self._wait(seconds)
        await _hang_up(server)

    async def _drip(self, server: SMTP, seconds: float) -> None:
        """Sends lines that always announce another line, so that the reply never ends."""
        until = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < until and not self._world.stream.closing.is_set():
            for byte in b"250-2.1.5 wait\r\n":
                _transport(server).write(bytes([byte]))
                await self._wait(DRIP_SECONDS)
        await _hang_up(server)


def _transport(server: SMTP) -> Any:
    """The transport is gone when the peer has hung up, and the task is about to be cancelled."""
    if server.transport is None:
        raise asyncio.CancelledError
    return server.transport


async def _hang_up(server: SMTP) -> None:
    _transport(server).abort()
    await _until_cancelled()


async def _say_good_bye(server: SMTP, reply: str) -> None:
    _transport(server).write(f"{reply}\r\n".encode())
    _transport(server).close()
    await _until_cancelled()


async def _until_cancelled() -> None:
    """The server cancels the task of a lost connection. Going on would write to the closed connection."""
    await asyncio.Event().wait()


@contextlib.asynccontextmanager
async def mail_server(world: World, listening: socket.socket | None) -> AsyncIterator[None]:
    """Serves until the block ends; without a socket there is no mail server."""
    if listening is None:
        yield
        return
    loop, connections = asyncio.get_running_loop(), WeakSet[SMTP]()

    def connection() -> SMTP:
        made = SMTP(
            MailServerHandler(world), hostname=HOSTNAME, ident="Sandbox", data_size_limit=LARGEST_MAIL, loop=loop
        )
        connections.add(made)
        return made

    server = await loop.create_server(connection, sock=listening)
    try:
        yield
    finally:
        server.close()
        tasks = []
        for one in connections:
            if one.transport is not None and one._handler_coroutine is not None:  # noqa: SLF001 (there is no other way)
                one.transport.abort()  # type: ignore[attr-defined]
                tasks.append(one._handler_coroutine)  # noqa: SLF001
        await asyncio.gather(*tasks, return_exceptions=True)
