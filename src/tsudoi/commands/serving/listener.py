"""The socket that clients connect to."""

import ctypes
import socket
import struct
import sys
from contextlib import suppress

from tsudoi.commands.refusals import port_taken
from tsudoi.core.settings import Settings

_BACKLOG = 2048
_ATTACH_FILTER = 26  # SO_ATTACH_FILTER of Linux, which Python has no name for.
# Where the kernel's TCP_INFO has the number of connections that wait in the backlog of a listening socket.
_WAITING_AT = slice(24, 28)
# A filter in the language of the kernel: code, two jumps, value. It drops the first packet of each new connection.
_NO_NEW_CONNECTIONS = (
    (0x30, 0, 0, 13),  # Load the flags of the packet,
    (0x54, 0, 0, 0x12),  # of them only SYN and ACK.
    (0x15, 0, 1, 0x02),  # Is it SYN alone?
    (0x06, 0, 0, 0),  # Then drop it.
    (0x06, 0, 0, 0xFFFFFFFF),  # Let everything else pass.
)


def listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise port_taken(settings.host, settings.port, "PORT", "serve") from error


def refuse_new_connections(listening: socket.socket) -> None:
    """Let no further client connect, and keep those that have connected and were not accepted yet.

    Closing the socket would reset those, although their requests have reached this machine. A client whose first packet
    is dropped tries again, and after the close it hears that nobody listens. Systems without such filters go on.
    """
    steps = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in _NO_NEW_CONNECTIONS))
    program = struct.pack("@HP", len(_NO_NEW_CONNECTIONS), ctypes.addressof(steps))
    with suppress(OSError):
        listening.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, program)


def waiting_connections(listening: socket.socket) -> int:
    """How many clients have connected and were not accepted yet. Always 0 where the system does not say."""
    with suppress(OSError, AttributeError):
        info = listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _WAITING_AT.stop)
        return int.from_bytes(info[_WAITING_AT], sys.byteorder)
    return 0
