import tempfile

from bench.load import load, request
from bench.serving import serving
from bench.table import Row


def measure() -> list[Row]:
    """What the whole house costs a request that does nothing: routing, edge, headers, metrics, request id."""
    asked = [request("GET", "/livez")]
    with serving("bench.baselines:hello") as port:
        bare = load(port, asked, clients=64, seconds=4)
    with tempfile.TemporaryDirectory() as folder, serving("bench.ours:plain", BENCH_FOLDER=folder) as port:
        ours = load(port, asked, clients=64, seconds=4)
    assert not bare.errors + ours.errors
    return [
        Row(
            "hello route, 64 clients (baseline: bare Starlette)",
            f"{ours.per_second:,.0f}/s  p99 {ours.p99_ms:.1f} ms",
            f"{bare.per_second:,.0f}/s  p99 {bare.p99_ms:.1f} ms",
            ours.per_second / bare.per_second,
        )
    ]
