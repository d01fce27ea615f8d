"""Plain and TLS sockets that stop at the deadline of the thread that uses them, for protocols other than HTTP.

The time-out of a socket starts again with every read. A server that sends one byte a second would hold a call for as
long as it likes, so the sockets below shorten each time-out to what is left of the call (`deadlines.ending_at`).
"""

import socket
import ssl
import time
from typing import Any

from tsudoi.gateway.deadlines import resolve, seconds_left

_LONGEST_CONNECT = 5.0
# A conversation by SMTP is a few short lines from the server. More than this would only fill our memory.
_MOST_RECEIVED = 256 * 1024


class DeadlineSocket(socket.socket):
    """A socket whose operations end at the deadline of the call. What it receives in all is limited."""

    _received = 0

    def recv_into(self, *args: Any, **options: Any) -> int:
        self.settimeout(seconds_left(None, TimeoutError))
        number = super().recv_into(*args, **options)
        self._received += number
        if self._received > _MOST_RECEIVED:
            raise ConnectionError("the server sends without end")
        return number

    def send(self, *args: Any, **options: Any) -> int:
        """A TLS socket writes with this method in a loop, so that each part needs its own time-out."""
        self.settimeout(seconds_left(None, TimeoutError))
        return super().send(*args, **options)

    def sendall(self, *args: Any, **options: Any) -> None:
        """A plain socket applies the time-out to all of the data together."""
        self.settimeout(seconds_left(None, TimeoutError))
        super().sendall(*args, **options)


class DeadlineTlsSocket(DeadlineSocket, ssl.SSLSocket):
    """The same over TLS. Reads and writes of the class above reach the methods of `SSLSocket`."""

    def do_handshake(self, block: bool = False) -> None:
        self.settimeout(seconds_left(None, TimeoutError))
        super().do_handshake(block)


def tls_context() -> ssl.SSLContext:
    """Checks the server's certificate and name. It reads all certificates of the system, so it is made once."""
    context = ssl.create_default_context()
    context.sslsocket_class = DeadlineTlsSocket
    return context


def connect(host: str, port: int) -> DeadlineSocket:
    """Connect to the first address of the host that answers. Raises OSError.

    Name resolution is part of the time. Each address gets an equal share of what is left of it.
    """
    until = time.monotonic() + seconds_left(_LONGEST_CONNECT, TimeoutError)
    addresses = resolve(host, port, until - time.monotonic())
    failure: OSError = ConnectionError("the name has no address")
    for place, address in enumerate(addresses):
        share = max(0.001, (until - time.monotonic()) / (len(addresses) - place))
        try:
            plain = socket.create_connection((address, port), share)
        except OSError as error:
            failure = error
        else:
            return DeadlineSocket(plain.family, plain.type, plain.proto, plain.detach())
    raise failure
