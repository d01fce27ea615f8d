"""Try the examples of docs/deploy with the real programs: `python -m tools.proxies nginx caddy`, or `--two`."""

import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2

from tools.proxies import checks, hostile, stopping
from tools.proxies.stage import Check, Stage, staged, two_staged

# They wait most of the time, so they run together.
WAITING: Mapping[str, Check] = {
    "an event stream": checks.event_stream,
    "a browser that leaves its event stream": checks.stream_that_is_left,
    **hostile.SLOW_CLIENTS,
}
ALONE: Mapping[str, Check] = {
    "pages and log-in": checks.pages_and_log_in,
    "webhook of LINE": checks.webhook,
    "uploads": checks.uploads,
    "half a body": hostile.half_a_body,
    "large heads": hostile.large_heads,
    "forged addresses": hostile.forged_addresses,
    "silent connections": hostile.silent_connections,
    "stop and start under load": stopping.restart_under_load,
    "nobody behind the proxy": stopping.nobody_there,
}


def attempt(stage: Stage, name: str, check: Check) -> bool:
    try:
        told = check(stage)
    except (AssertionError, httpx2.HTTPError, OSError) as error:
        print(f"{stage.name:6} FAILED {name}: {error!r}", flush=True)
        return False
    print(f"{stage.name:6} ok     {name}: {told}", flush=True)
    return True


def attempt_all(stage: Stage) -> bool:
    with ThreadPoolExecutor(len(WAITING)) as pool:
        results = list(pool.map(lambda item: attempt(stage, *item), WAITING.items()))
    return all(results + [attempt(stage, *item) for item in ALONE.items()])


def attempt_two() -> bool:
    """`--two`: two servers on one PostgreSQL behind Caddy."""
    with tempfile.TemporaryDirectory(prefix="tsudoi-proxies-") as folder, two_staged(Path(folder)) as two:
        return attempt(two.stage, "rolling restart of two", lambda _: stopping.rolling_restart(two))


def main(names: list[str]) -> int:
    if names == ["--two"]:
        return 0 if attempt_two() else 1
    good = []
    for name in names:
        with tempfile.TemporaryDirectory(prefix="tsudoi-proxies-") as folder, staged(name, Path(folder)) as stage:
            good.append(attempt_all(stage))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["nginx", "caddy"]))
