import signal

from tsudoi.commands.data import read_settings
from tsudoi.commands.house import open_house
from tsudoi.worker import Worker


def run_worker() -> int:
    with open_house(read_settings()) as house:
        worker = Worker(house.db, house.tools)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop())
        worker.run()
    return 0
