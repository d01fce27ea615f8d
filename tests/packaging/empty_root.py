"""A root of its own for commands that a guide prints: the programs of this machine, and nothing of its settings.

The system's folders are there with a layer above them that is thrown away, `/etc` has only what the programs need, and
everything else is empty. It needs root and the right to mount, and gives nothing back to the machine.
"""

import os
import subprocess
import sys
from pathlib import Path

_ETC = (
    *("passwd", "group", "shadow", "gshadow", "login.defs", "nsswitch.conf", "pam.d", "security", "ld.so.cache"),
    *("ld.so.conf", "ld.so.conf.d", "ssl", "alternatives", "default", "skel", "localtime", "environment"),
)
_MADE = """
set -e
mount -t tmpfs -o mode=755 tmpfs "$ROOT"
cd "$ROOT"
mkdir -p proc dev etc/systemd/system var/lib opt root run usr .layer/upper .layer/work "$ROOT$BASE" deps release
mkdir -m 1777 tmp
mount -t proc proc proc
mount --bind /dev dev
mount -t overlay overlay -o "lowerdir=/usr,upperdir=$ROOT/.layer/upper,workdir=$ROOT/.layer/work" usr
for link in bin sbin lib lib32 lib64 libx32; do [ -L "/$link" ] && cp -P "/$link" . ; done
for each in $ETC; do [ -e "/etc/$each" ] && cp -a "/etc/$each" etc/ ; done
[ "$BASE" = /usr ] || [ "$BASE" = /usr/local ] || mount --bind "$BASE" "$ROOT$BASE"
mount --bind "$DEPS" deps
cp -a "$RELEASE/." release/
chown -R 0:0 release
exec chroot "$ROOT" /bin/bash -c "cd /release && exec bash -e /dev/stdin"
"""


def may_mount() -> bool:
    if os.geteuid() != 0:
        return False
    tried = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], check=False)
    return tried.returncode == 0


def typed(script: str, folder: Path, release: Path, packages: Path) -> subprocess.Popen[str]:
    """Type the lines of the script in the empty root, standing in `/release`. `packages` are in `/deps`."""
    root = folder / "root"
    root.mkdir()
    base = sys.base_prefix
    environment = {
        "PATH": f"{base}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "ROOT": str(root),
        "BASE": base,
        "DEPS": str(packages),
        "RELEASE": str(release),
        "ETC": " ".join(_ETC),
    }
    process = subprocess.Popen(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", _MADE],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write(script)
    process.stdin.close()
    return process
