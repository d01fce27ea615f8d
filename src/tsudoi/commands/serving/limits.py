"""How much of a connection a client may take: bytes, seconds, and the number of connections."""

import resource
from dataclasses import dataclass

# Room for the database, for calls to outside systems, and for files, whatever the clients do.
_FILES_FOR_OURSELVES = 256
# More are never needed, and some systems have no limit at all.
_MOST_FILES = 65_536


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What one client may take, and how many clients there may be. Seconds are checked once a second."""

    connections: int = 2_000
    # The request line and all headers together, and one line of them.
    head_bytes: int = 32 * 1024
    line_bytes: int = 16 * 1024
    # From the first byte of a request, or from the connection, to the end of its headers.
    head_seconds: float = 10
    # A body, and an answer that waits for its reader, may take this long, and longer at no less than this pace.
    body_seconds: float = 30
    reader_seconds: float = 30
    bytes_per_second: int = 8 * 1024
    # Where every place is taken, an answer that nobody has read for so long makes room too.
    unread_seconds: float = 1
    # Bytes of answers that wait in memory for readers: of one address, and of all together.
    unread_bytes_of_address: int = 128 * 1024 * 1024
    unread_bytes: int = 512 * 1024 * 1024
    # How long and how much we still listen to a client that we have refused, so that it can read why.
    linger_seconds: float = 2
    linger_bytes: int = 1024 * 1024
    # Requests that a client may send ahead, before it has the answer to the first.
    pipelined: int = 16


def raise_open_files() -> int:
    """Allow this process as many open files as the system permits, and return the number."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return _MOST_FILES if soft == resource.RLIM_INFINITY else soft


def most_connections(wanted: int, open_files: int) -> int:
    """The number of connections that leaves files for everything else."""
    # Refused connections are listened to for a moment, and there may be a quarter more of them.
    return max(1, min(wanted, (open_files - _FILES_FOR_OURSELVES) * 4 // 5))
