"""Many clients that wait for each answer before the next request, in a process of their own.

Plain sockets: a full HTTP client would take longer than the servers it measures.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    per_second: float
    p50_ms: float
    p99_ms: float
    errors: int
    # How often each status came.
    statuses: dict[str, int]


def load(
    port: int | list[int], requests: list[bytes], clients: int, seconds: float, *, addresses: bool = False
) -> Result:
    """Sends the requests in turn; the first second warms up and does not count.

    Several ports are several processes of one server; the clients are spread over them. `addresses`: each client has a
    loopback address of its own, for routes that limit the requests of one address.
    """
    plan = {
        "ports": [port] if isinstance(port, int) else port,
        "clients": clients,
        "seconds": seconds,
        "addresses": addresses,
        "requests": [r.decode("latin-1") for r in requests],
    }
    done = subprocess.run(
        [sys.executable, "-m", "bench.load"], input=json.dumps(plan), capture_output=True, text=True, check=True
    )
    return Result(**json.loads(done.stdout))


def request(method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


async def _client(
    port: int, address: str, requests: list[bytes], first: int, until: float, times: list[tuple[float, float]]
) -> Counter[str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    statuses, number = Counter[str](), first
    while (started := time.perf_counter()) < until:
        writer.write(requests[number % len(requests)])
        number += 1
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        await reader.readexactly(length)
        statuses[head[9:12].decode()] += 1
        times.append((started, time.perf_counter() - started))
    writer.close()
    return statuses


async def _run(plan: dict[str, object]) -> dict[str, object]:
    requests = [text.encode("latin-1") for text in plan["requests"]]  # type: ignore[attr-defined]
    clients, seconds = int(plan["clients"]), float(plan["seconds"])  # type: ignore[call-overload, arg-type]
    ports: list[int] = plan["ports"]  # type: ignore[assignment]
    start = time.perf_counter()
    counted_from, until = start + 1, start + 1 + seconds
    times: list[tuple[float, float]] = []
    step = max(1, len(requests) // clients)
    addresses = [f"127.0.1.{n + 1}" if plan["addresses"] else "127.0.0.1" for n in range(clients)]
    running = (
        _client(ports[n % len(ports)], address, requests, n * step, until, times) for n, address in enumerate(addresses)
    )
    statuses = sum(await asyncio.gather(*running), Counter[str]())
    latencies = sorted(taken * 1000 for began, taken in times if began >= counted_from)
    return {
        "per_second": len(latencies) / seconds,
        "p50_ms": statistics.median(latencies),
        "p99_ms": latencies[int(len(latencies) * 0.99)],
        "errors": sum(count for status, count in statuses.items() if not status.startswith("2")),
        "statuses": statuses,
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_run(json.load(sys.stdin)))))
