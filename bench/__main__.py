"""`make bench`: every measurement in one run on one machine, as ratios. `BENCH="hello webhook"` picks some."""

import sys

from bench import answers, broadcast, cold_start, hello, members_sync, one_row_write, pages, roster, status, webhook
from bench.table import Row, show

ENTRIES = {
    "hello": hello.measure,
    "write": one_row_write.measure,
    "webhook": webhook.measure,
    "answers": answers.measure,
    "status": status.measure,
    "broadcast": broadcast.measure,
    "roster": roster.measure,
    "cold": cold_start.measure,
    "sync": members_sync.measure,
    "pages": pages.measure,
}


def main(names: list[str]) -> None:
    rows: list[Row] = []
    for name in names or ENTRIES:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        rows += ENTRIES[name]()
    show(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
