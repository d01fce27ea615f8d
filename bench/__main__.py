"""`make bench`: every measurement in one run on one machine, as ratios. `BENCH="hello webhook"` picks some."""

import sys

from bench import (
    answers,
    apicomm,
    bookings,
    broadcast,
    cold_start,
    hello,
    imports,
    logins,
    members_sync,
    notices,
    one_row_write,
    pages,
    roster,
    slots,
    status,
    threads,
    walks,
    webhook,
)
from bench.table import Row, show

ENTRIES = {
    "hello": hello.measure,
    "write": one_row_write.measure,
    "webhook": webhook.measure,
    "answers": answers.measure,
    "bookings": bookings.measure,
    "threads": threads.measure,
    "status": status.measure,
    "logins": logins.measure,
    "imports": imports.measure,
    "slots": slots.measure,
    "broadcast": broadcast.measure,
    "notices": notices.measure,
    "apicomm": apicomm.measure,
    "roster": roster.measure,
    "cold": cold_start.measure,
    "sync": members_sync.measure,
    "pages": pages.measure,
    "walks": walks.measure,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in ENTRIES]
    if unknown:
        print(f"No such measurement: {' '.join(unknown)}. There are: {' '.join(ENTRIES)}", file=sys.stderr)
        return 2
    rows: list[Row] = []
    for name in names or ENTRIES:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        rows += ENTRIES[name]()
    show(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
