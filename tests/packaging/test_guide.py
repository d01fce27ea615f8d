"""The guide of docs/deploy, typed line by line in an empty root: from `useradd` to the first log-in."""

import re
import shlex
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.factories.processes import SECRETS
from tests.factories.released import released
from tests.packaging.empty_root import may_mount, typed
from tests.servers import free_port

__all__ = ["released"]

GUIDE = (Path(__file__).parents[2] / "docs/deploy/README.md").read_text(encoding="utf-8")
PASSWORD = "a phrase nobody guesses"
# What this machine cannot do: there is no network and no running systemd. The test does the same in another way.
INSTEAD = {
    "/opt/tsudoi/.venv/bin/pip install --require-hashes -r requirements.lock": (
        "for each in /opt/tsudoi/.venv/lib/python3*/site-packages; do echo /deps > $each/deps.pth; done"
    ),
    "systemctl daemon-reload": "true",
    "systemctl enable --now tsudoi-serve tsudoi-notifications tsudoi-backup.timer": "start_units",
}
# The unit file of systemd for a shell: the same user, the same folder, nothing in the environment.
UNITS = """
trap 'cat /var/log-of-units || true' ERR
start_units() {
  for unit in tsudoi-serve tsudoi-notifications; do
    said() { sed -n "s/^$1=//p" "/etc/systemd/system/$unit.service"; }
    (cd "$(said WorkingDirectory)" && exec env -i PATH=/usr/sbin:/usr/bin:/bin LANG=C.UTF-8 \\
      runuser -u "$(said User)" -- $(said ExecStart) >> /var/log-of-units 2>&1) &
  done
}
"""
# After the guide: what cron, the mail server and people do, each from a folder of its own.
AFTERWARDS = """
cd /
echo
echo "== cron"
env -i PATH=/usr/sbin:/usr/bin:/bin runuser -u tsudoi -- /opt/tsudoi/.venv/bin/tsudoi notifications send 2>&1 >/dev/null
echo "== alias"
cd /tmp
cat > .forward <<< '/opt/tsudoi/.venv/bin/tsudoi mail bounce'
echo "Subject: hello" | env -i PATH=/usr/sbin:/usr/bin:/bin runuser -u tsudoi -- sh -c "$(cat .forward)"
echo "== nobody"
runuser -u nobody -- tsudoi admin list && exit 9
echo "== backup"
cd /var && runuser -u tsudoi -- $(sed -n 's/^ExecStart=//p' /etc/systemd/system/tsudoi-backup.service)
echo "== drill"
DATA_DIR=/tmp/renshu runuser -u tsudoi -- tsudoi migrate && exit 9
DATA_DIR=/tmp/renshu runuser -u tsudoi -- tsudoi restore --new-database /var/lib/tsudoi/data/backups/*.tar
DATA_DIR=/tmp/renshu runuser -u tsudoi -- tsudoi audit verify
stat -c '%n %a %U' /etc/tsudoi.env /var/lib/tsudoi /var/lib/tsudoi/data /var/lib/tsudoi/data/tsudoi.sqlite3
echo "== end"
sleep 600
"""


def chapter(title: str) -> str:
    return GUIDE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def lines_to_type(port: int) -> str:
    """What the chapter prints for a server, with the values that somebody fills in, and another port."""
    _on_any_machine, *blocks = re.findall(r"^```sh\n(.*?)^```$", chapter("Installing"), re.MULTILINE | re.DOTALL)
    text = "".join(blocks)
    for name, value in SECRETS.items():
        assert f"\n{name}=\n" in text
        text = text.replace(f"\n{name}=\n", f"\n{name}={value}\n")
    text = text.replace("\nEND\n", f"\nPORT={port}\nLINE_API_BASE=http://127.0.0.1:9\nEND\n").replace(
        ":8000", f":{port}"
    )
    done = []
    for line in text.splitlines():
        command = line.partition("     #")[0].strip()
        replaced = INSTEAD.get(command, line)
        if command.startswith("runuser") and "admin create" in command:
            replaced = f"{command} --password-stdin <<< {shlex.quote(PASSWORD)}"
        done.append(replaced)
    assert not [command for command in INSTEAD if command not in text], "the guide has changed"
    return "\n".join(done) + "\n"


def until(process_output: Iterator[str], mark: str) -> str:
    said = []
    for line in process_output:
        said.append(line)
        if line.strip() == mark:
            return "".join(said)
    raise AssertionError("".join(said))


@pytest.mark.found("24.D1")
@pytest.mark.row("8.A.13", "8.A.17")
def test_the_guide_is_complete_from_useradd_to_the_first_log_in(released: Path, tmp_path: Path) -> None:
    if not may_mount():
        pytest.skip("only root may make a root of its own")
    port = free_port()
    script = UNITS + lines_to_type(port) + AFTERWARDS
    process = typed(script, tmp_path, released, Path(sysconfig.get_path("purelib")))
    assert process.stdout is not None
    try:
        said = until(iter(process.stdout.readline, ""), "== end")
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as office:
            answer = office.post("/api/admin/login", json={"username": "jimukyoku", "password": PASSWORD})
            assert answer.status_code == 200, answer.text
            assert office.get("/admin/").status_code == 200
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    settings = "settings /etc/tsudoi.env"
    where = f"tsudoi: database /var/lib/tsudoi/data/tsudoi.sqlite3 · folder /var/lib/tsudoi/data · {settings}"
    parts = dict(re.findall(r"^== (\w+)\n(.*?)(?=^== |\Z)", said, re.MULTILINE | re.DOTALL))
    for name in ("cron", "alias", "backup"):
        assert where in parts[name], said
    assert ("[SETTINGS_UNREADABLE]" in parts["nobody"], "sudo -u tsudoi" in parts["nobody"]) == (True, True), said
    assert ("[NEW_DATABASE]" in parts["drill"], "chain intact" in parts["drill"]) == (True, True), said
    for line in ("/etc/tsudoi.env 600", "/var/lib/tsudoi 700", "/var/lib/tsudoi/data 700"):
        assert f"{line} tsudoi" in parts["drill"]
    assert "/var/lib/tsudoi/data/tsudoi.sqlite3 600 tsudoi" in parts["drill"]
