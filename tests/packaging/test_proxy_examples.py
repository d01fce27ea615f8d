"""The examples for Caddy and nginx fit the limits of the server; `python -m tools.proxies` tries them out."""

import re
from pathlib import Path

from prometheus_client import CollectorRegistry

from tsudoi.access.event_stream import HEARTBEAT
from tsudoi.commands.serving.limits import ConnectionLimits
from tsudoi.commands.serving.server import LimitedServer
from tsudoi.contexts import CONTEXTS

EXAMPLES = Path(__file__).parents[2] / "docs" / "deploy"
LIMITS = ConnectionLimits()
LONGEST_BODY = max(limit for context in CONTEXTS for limit in context.body_limits.values())
UNITS = {"": 1, "s": 1, "m": 60, "k": 1024, "KiB": 1024, "MB": 1_000_000}


def idle_seconds() -> float:
    server = LimitedServer(None, LIMITS, CollectorRegistry(), begin_stop=lambda: None)
    return server.config.timeout_keep_alive


def values(example: str, option: str) -> list[list[int]]:
    """The numbers behind an option, for each line that has it."""
    lines = re.findall(rf"^\s+{option} (.+?)(?:;.*)?$", (EXAMPLES / example).read_text(), re.MULTILINE)
    found = [re.findall(r"(\d+)([A-Za-z]*)", line) for line in lines]
    return [[int(number) * UNITS[unit] for number, unit in line] for line in found]


def test_nginx() -> None:
    assert values("nginx.conf", "client_header_timeout") == [[LIMITS.head_seconds]]
    assert values("nginx.conf", "client_body_timeout") == [[LIMITS.body_seconds]]
    [[inside], [outside]] = values("nginx.conf", "keepalive_timeout")
    assert inside < idle_seconds() == outside
    [[number, size]] = values("nginx.conf", "large_client_header_buffers")
    assert size > LIMITS.line_bytes
    assert number * size > LIMITS.head_bytes
    # nginx writes `m` for megabytes too.
    [[largest]] = values("nginx.conf", "client_max_body_size")
    assert largest // UNITS["m"] * 1024 * 1024 > LONGEST_BODY
    [[silence]] = values("nginx.conf", "proxy_read_timeout")
    assert silence > 2 * HEARTBEAT


def test_two_servers_behind_caddy_have_the_limits_of_one() -> None:
    """Row 8.B.26: `python -m tools.proxies --two` tries the rolling restart."""
    two, one = ((EXAMPLES / name).read_text() for name in ("Caddyfile.two", "Caddyfile"))
    for option in ("read_header", "max_header_size", "keepalive", "idle", "max_size", "read_body", "lb_try_duration"):
        assert values("Caddyfile.two", option) == values("Caddyfile", option), option
    assert "health_uri /readyz" in two
    assert "health_uri" not in one, "a single server that is not ready answers better than nobody"


def test_caddy() -> None:
    assert values("Caddyfile", "read_header") == [[LIMITS.head_seconds]]
    assert values("Caddyfile", "max_header_size") == [[LIMITS.head_bytes]]
    [[inside]] = values("Caddyfile", "keepalive")
    assert [[inside + 10]] == values("Caddyfile", "idle") == [[idle_seconds()]]
    [[largest]] = values("Caddyfile", "max_size")
    assert largest > LONGEST_BODY
    # Caddy does not know the pace of a body, so that the time has to do for the largest picture at the slowest pace.
    [[longest]] = values("Caddyfile", "read_body")
    assert longest >= 5_000_000 / LIMITS.bytes_per_second - LIMITS.body_seconds
