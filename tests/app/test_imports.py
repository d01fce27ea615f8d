import json
import subprocess
import sys


def test_the_sdk_is_imported_by_the_first_call_that_needs_it() -> None:
    program = (
        "import sys, json, tsudoi.app, tsudoi.worker, tsudoi.gateway.clients.line;"
        "print(json.dumps([name for name in sys.modules if name.split('.')[0] in ('linebot', 'alembic')]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout) == []
