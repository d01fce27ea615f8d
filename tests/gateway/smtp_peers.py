"""Mail servers that do not behave, mail servers that speak TLS, and a client for either."""

import asyncio
import contextlib
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.servers import listen
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.mail import MailClient, MailConfig, OutgoingMail, Security

MAIL = OutgoingMail("taro@example.jp", "<1@tsudoi.example.jp>", b"Subject: x\r\n\r\nhello\r\n")
USER, PASSWORD = "office", "a password: with / odd @ characters"
# A reply: what is sent at once, or a function that talks by itself.
Reply = bytes | Callable[[socket.socket, threading.Event], None]


def client_for(
    port: int, db: Database | None = None, seconds: float = 5.0, security: Security = "plain", user: str = ""
) -> MailClient:
    config = MailConfig(
        host="127.0.0.1",
        port=port,
        security=security,
        user=user,
        password=PASSWORD,
        sender_name="事務局",
        sender_address="office@tsudoi.example.jp",
        our_host="tsudoi.example.jp",
    )
    return MailClient(config, db, timedelta(seconds=seconds))


GOOD: dict[str, Reply] = {
    "": b"220 ready\r\n",
    "EHLO": b"250-hello\r\n250 SIZE 1000\r\n",
    "MAIL": b"250 ok\r\n",
    "RCPT": b"250 ok\r\n",
    "DATA": b"354 go on\r\n",
    ".": b"250 taken\r\n",
    "QUIT": b"221 bye\r\n",
}


@dataclass
class ScriptedPeer:
    """What the peer heard: the commands, and the content of each mail."""

    port: int
    commands: list[str] = field(default_factory=list)
    contents: list[bytes] = field(default_factory=list)


@contextlib.contextmanager
def scripted_peer(**changed: Reply) -> Iterator[ScriptedPeer]:
    """A server that answers each command with the reply of that name; `greeting` and `dot` name the two others."""
    names = {"greeting": "", "dot": "."}
    replies = GOOD | {names.get(name, name): reply for name, reply in changed.items()}
    stopping = threading.Event()

    def answer(connection: socket.socket, command: str) -> None:
        reply = replies[command]
        if isinstance(reply, bytes):
            connection.sendall(reply)
        else:
            reply(connection, stopping)

    def talk(connection: socket.socket) -> None:
        lines = connection.makefile("rb")
        answer(connection, "")
        for line in lines:
            command = line.decode().strip()
            verb = command[:4].upper()
            peer.commands.append(command)
            answer(connection, verb)
            if verb == "DATA" and replies["DATA"] == GOOD["DATA"]:
                content = b"".join(iter(lines.readline, b".\r\n"))
                peer.contents.append(content)
                answer(connection, ".")

    def serve() -> None:
        while not stopping.is_set():
            with contextlib.suppress(TimeoutError, ConnectionError, KeyError):
                connection, _ = bound.accept()
                with connection:
                    connection.settimeout(20)
                    talk(connection)

    with listen() as bound:
        bound.settimeout(0.05)
        peer = ScriptedPeer(bound.getsockname()[1])
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield peer
        finally:
            stopping.set()
            thread.join(20)


def silence(_connection: socket.socket, stopping: threading.Event) -> None:
    stopping.wait(20)


def hang_up(connection: socket.socket, _stopping: threading.Event) -> None:
    connection.shutdown(socket.SHUT_RDWR)


def drip(connection: socket.socket, stopping: threading.Event) -> None:
    """One byte every twentieth of a second, of a reply that would be good after six seconds."""
    for byte in b"250-" + b"x" * 120 + b"\r\n250 ok\r\n":
        if stopping.wait(0.05):
            return
        connection.sendall(bytes([byte]))


def flood(connection: socket.socket, stopping: threading.Event) -> None:
    while not stopping.is_set():
        connection.sendall(b"250-and another line\r\n" * 1000)


class TakesAll:
    """A handler of aiosmtpd that keeps what it gets, and the session in which it came."""

    def __init__(self) -> None:
        self.taken: list[tuple[Envelope, Session]] = []

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.taken.append((envelope, session))
        return "250 2.0.0 taken"


def knows_the_office(*args: Any) -> AuthResult:
    given = args[-1]
    good = isinstance(given, LoginPassword) and given == LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=good, handled=False)


@contextlib.contextmanager
def tls_server(context: ssl.SSLContext, *, implicit: bool) -> Iterator[tuple[int, TakesAll]]:
    """A server that speaks TLS and knows one account; gives its port and its handler."""
    loop, handler, bound = asyncio.new_event_loop(), TakesAll(), listen()

    def connection() -> SMTP:
        options: dict[str, Any] = {"authenticator": knows_the_office, "hostname": "mail.test", "loop": loop}
        if implicit:  # The connection is encrypted before aiosmtpd knows of it.
            return SMTP(handler, auth_require_tls=False, **options)
        return SMTP(handler, tls_context=context, require_starttls=True, auth_required=True, **options)

    async def start() -> asyncio.Server:
        return await loop.create_server(connection, sock=bound, ssl=context if implicit else None)

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(start(), loop).result(20)
    try:
        yield bound.getsockname()[1], handler
    finally:
        loop.call_soon_threadsafe(server.close)
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0.05), loop).result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(20)
        loop.close()
        bound.close()


def make_certificate(folder: Path, host: str = "127.0.0.1") -> ssl.SSLContext:
    """A server's context with a certificate that it signed itself, which also lies in `folder/certificate.pem`."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "certificate.pem").write_bytes(pem)
    (folder / "key.pem").write_bytes(secret)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context
