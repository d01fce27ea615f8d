"""The one file that the settings come from, for every command, unit, crontab line and alias, from any folder.

The reader is our own, because others disagree about the same file: dotenv expands `$` and cuts a value at ` #`, and a
password may contain both.
"""

import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from pydantic_settings import DotEnvSettingsSource

# Names a file. Then neither of the following two is looked at.
VARIABLE = "TSUDOI_ENV_FILE"
# Where an installation keeps its settings. The tests put another path here, so that they never read this machine's.
SYSTEM_FILE = Path("/etc/tsudoi.env")
LOCAL_FILE = Path(".env")
# Set for the processes of the demo, and in the commands that the demo shows.
_DEMO = "TSUDOI_DEMO"
_LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)")
# In the file, a path counts from the folder of the file and not from the folder in which a command was typed.
_PATHS = frozenset({"DATA_DIR", "AUDIT_HEADS_FILE", "BACKUP_DIR", "PG_BIN_DIR", "GOOGLE_SERVICE_ACCOUNT_FILE"})

_SQLITE = "sqlite:///"
# What the system and its libraries read, and an installation may set beside our own settings.
_OF_OTHERS = re.compile(r"TZ|PATH|HOME|LANG|LC_\w+|PYTHON\w*|MALLOC_\w+|SSL_CERT_\w+|(HTTPS?|NO|ALL)_PROXY|PG\w+")


class SettingsUnreadable(Exception):
    """The file cannot be read. No other file is read instead: it would have the settings of another installation."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """`production`: it was named, or is the system's. A `.env` is for the folder in which it is."""

    path: Path
    values: Mapping[str, str]
    production: bool


def find_settings_file() -> SettingsFile | None:
    """The named one, else the system's, else the `.env` of this folder. Never two of them."""
    demo = os.environ.get(_DEMO, "").strip().lower() in ("1", "true", "on", "yes")
    named = "" if demo else os.environ.get(VARIABLE, "").strip()
    if named:
        return _read(Path(named), production=True)
    if not demo and _is_there(SYSTEM_FILE):
        return _read(SYSTEM_FILE, production=True)
    return _read(LOCAL_FILE, production=False) if _is_there(LOCAL_FILE) else None


def production_is_here() -> bool:
    """Whether commands in this environment read the settings of an installation. The file itself is not opened."""
    return bool(os.environ.get(VARIABLE, "").strip()) or _is_there(SYSTEM_FILE)


def unknown_names(file: SettingsFile, known: Collection[str]) -> list[str]:
    """The names that nobody reads, each with the one that was probably meant: `SMTP_ULR? SMTP_URL`."""
    strange = [name for name in file.values if name not in known and not _OF_OTHERS.fullmatch(name)]
    return [" ".join([f"{name}?", *get_close_matches(name, known, 1)]) for name in strange]


def is_open_to_others(file: SettingsFile) -> bool:
    """Whether every user of the machine can read the secrets in it."""
    return bool(file.path.stat().st_mode & 0o007)


def _is_there(path: Path) -> bool:
    """A file in a folder that we may not look into counts: to go on without it would be to use other settings."""
    try:
        return path.stat() is not None
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def _read(path: Path, *, production: bool) -> SettingsFile:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as missing:
        raise SettingsUnreadable(
            f"{path} がありません。別の設定では動かしません [SETTINGS_UNREADABLE]\n"
            f"{VARIABLE} names {path}, which does not exist; no other settings are used instead.\n"
            f"→ {VARIABLE} を直すか、外してください / mend {VARIABLE}, or remove it"
        ) from missing
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise SettingsUnreadable(
            f"{path} を読めません。別の設定では動かしません [SETTINGS_UNREADABLE]\n"
            f"{path} cannot be read ({reason}); no other settings are used instead.\n"
            f"→ 所有者のユーザーで実行してください / run it as the owner of the file: {_as_owner(path)}"
        ) from error
    return SettingsFile(path, _parse(path, text), production)


def _as_owner(path: Path) -> str:
    try:
        owner = path.owner()
    except (OSError, KeyError):
        owner = "tsudoi"
    return f"sudo -u {owner} tsudoi …"


def _parse(path: Path, text: str) -> dict[str, str]:
    """`KEY=value` up to the end of the line. `#` begins a comment only at the beginning of a line."""
    values = {}
    for number, line in enumerate(text.splitlines(), 1):
        told = line.strip()
        if not told or told.startswith("#"):
            continue
        found = _LINE.fullmatch(told)
        if found is None:
            raise SettingsUnreadable(
                f"{path} の {number} 行目を読めません [SETTINGS_UNREADABLE]\n"
                f"Line {number} of {path} is neither KEY=value nor a comment.\n"
                "→ その行を直すか、先頭に # を付けてください / mend the line, or put # before it"
            )
        name, value = found[1].upper(), _unquoted(found[2].strip())
        values[name] = _from_folder(path.parent, name, value)
    return values


def _from_folder(folder: Path, name: str, value: str) -> str:
    if name in _PATHS and value:
        return str(folder / value)
    if name == "DATABASE_URL" and value.startswith(_SQLITE):
        return f"{_SQLITE}{folder / value.removeprefix(_SQLITE)}"
    return value


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted else value


class FileSource(DotEnvSettingsSource):
    """Reads our one file with our own reader, where pydantic would read `.env` with dotenv's."""

    def _read_env_files(self) -> dict[str, str | None]:
        found = None if self.env_file is None else find_settings_file()
        return {} if found is None else {name.lower(): value for name, value in found.values.items() if value}
