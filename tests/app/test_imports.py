import json
import subprocess
import sys


def test_nothing_slow_is_imported_at_the_start() -> None:
    program = (
        "import sys, json, tsudoi.app, tsudoi.worker, tsudoi.gateway.clients.line;"
        "slow = ('linebot', 'alembic', 'gspread', 'openpyxl');"
        "print(json.dumps([name for name in sys.modules if name.split('.')[0] in slow]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=60)
    assert json.loads(done.stdout) == []
