"""Run in a process of its own: what does the product with the scratch context do? Prints JSON."""

import json
import sys
import threading
from typing import Any

from tests.servers import browser, eventually, serving
from tsudoi.app import create_app
from tsudoi.contexts import active_contexts, open_runtime, required_settings
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.base import Base
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.schema import migrate
from tsudoi.core.settings import Settings
from tsudoi.worker import Worker


def main() -> None:
    settings = Settings(_env_file=None)
    migrate(settings.database)
    db = open_database(settings.database, SystemClock())
    db.write_now(lambda tx: Base.metadata.create_all(tx.connection, checkfirst=True))
    with open_runtime(settings, db) as runtime, serving(create_app(runtime)) as url, browser(url) as http:
        worker = Worker(runtime)
        running = threading.Thread(target=worker.run)
        running.start()
        found: dict[str, Any] = {
            "post": http.post("/api/scratch/notes/hello").status_code,
            "page": http.get("/scratch/").status_code,
        }
        description = http.get("/api/openapi.json").json()
        found["described"] = "/api/scratch/notes/{body}" in description["paths"]
        found["tag"] = "scratch" in [tag["name"] for tag in description["tags"]]
        found["watched"] = "scratch_notes" in http.get("/metrics").text
        found["menu"] = "/scratch" in http.get("/admin/").text
        jobs = sys.modules["tsudoi.scratch.notes.jobs"]
        if found["post"] == 201:
            eventually(lambda: jobs.SENT and jobs.STRUCK)
        found["sent"], found["clock_struck"] = jobs.SENT, bool(jobs.STRUCK)
        worker.stop()
        running.join()
    found["asks_for_its_setting"] = "METRICS_TOKEN" in required_settings(active_contexts(settings))
    print(json.dumps(found))  # noqa: T201 (the test reads it)
    db.close()


main()
