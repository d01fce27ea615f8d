"""Many clients that wait for each answer before the next request, in a process of their own.

Plain sockets: a full HTTP client would take longer than the servers it measures.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    per_second: float
    p50_ms: float
    p99_ms: float
    errors: int


def load(port: int, requests: list[bytes], clients: int, seconds: float) -> Result:
    """Sends the requests in turn; the first second warms up and does not count."""
    plan = {"port": port, "clients": clients, "seconds": seconds, "requests": [r.decode("latin-1") for r in requests]}
    done = subprocess.run(
        [sys.executable, "-m", "bench.load"], input=json.dumps(plan), capture_output=True, text=True, check=True
    )
    return Result(**json.loads(done.stdout))


def request(method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body


async def _client(port: int, requests: list[bytes], first: int, until: float, times: list[tuple[float, float]]) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    errors, number = 0, first
    while (started := time.perf_counter()) < until:
        writer.write(requests[number % len(requests)])
        number += 1
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
        await reader.readexactly(length)
        errors += not head.startswith(b"HTTP/1.1 2")
        times.append((started, time.perf_counter() - started))
    writer.close()
    return errors


async def _run(plan: dict[str, object]) -> dict[str, float]:
    requests = [text.encode("latin-1") for text in plan["requests"]]  # type: ignore[attr-defined]
    clients, seconds, port = int(plan["clients"]), float(plan["seconds"]), int(plan["port"])  # type: ignore[call-overload, arg-type]
    start = time.perf_counter()
    counted_from, until = start + 1, start + 1 + seconds
    times: list[tuple[float, float]] = []
    step = max(1, len(requests) // clients)
    errors = await asyncio.gather(*(_client(port, requests, n * step, until, times) for n in range(clients)))
    latencies = sorted(taken * 1000 for began, taken in times if began >= counted_from)
    return {
        "per_second": len(latencies) / seconds,
        "p50_ms": statistics.median(latencies),
        "p99_ms": latencies[int(len(latencies) * 0.99)],
        "errors": sum(errors),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_run(json.load(sys.stdin)))))
