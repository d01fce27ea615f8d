"""Processes that have everything imported.

To import the product takes two seconds of work, and the tests start hundreds of processes. So each pytest worker has
one process that imports it once, and the processes of the tests are forks of that one.
"""

import multiprocessing

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "tests.factories.processes",
        "tests.gateway.api_comm.escalators",
        "tests.notifications.mails.senders",
        "tsudoi.app",
        "tsudoi.commands.notifications",
        "tsudoi.commands.serve",
        "tsudoi.commands.worker",
    ]
)
