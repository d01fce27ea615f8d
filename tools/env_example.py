"""Writes `.env.example` from the settings themselves, so that the two cannot drift (a test compares them)."""

import re
from pathlib import Path

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from tsudoi.core import settings as settings_module
from tsudoi.core.settings import Settings

HEADING = """\
# Tsudoi reads these from one file: the one that TSUDOI_ENV_FILE names, else /etc/tsudoi.env, else `.env` in the folder
# it is started in. What is set in the environment wins. A line is KEY=value up to its end: `#` begins a comment only at
# the beginning of a line, and `$` means nothing. A relative path counts from the folder of the file.
# A line that is commented out shows the default. Secrets have none: outside the demo, `tsudoi serve`
# refuses to start while a needed one is missing, copied from an example, or too short.
"""
NEEDED = {"line_channel_secret", "line_channel_access_token", "line_login_channel_id", "liff_id", "public_base_url"}


def render() -> str:
    parts = [HEADING]
    for line in Path(settings_module.__file__).read_text().splitlines():
        if section := re.match(r"    # --- (.+)", line):
            parts.append(f"\n# ---- {section.group(1)}\n")
        elif (name := re.match(r"    (\w+): ", line)) and name.group(1) in Settings.model_fields:
            parts.append(_entry(name.group(1), Settings.model_fields[name.group(1)]))
    return "".join(parts)


def _entry(name: str, field: FieldInfo) -> str:
    if name == "tsudoi_demo":
        return ""
    sign = "" if name in NEEDED else "# "
    return f"# {field.description}\n{sign}{name.upper()}={_default(name, field.default)}\n"


def _default(name: str, value: object) -> str:
    if name == "public_base_url":
        return "https://tsudoi.example.jp"
    if value is None or value == () or isinstance(value, SecretStr):
        return ""
    return {True: "1", False: "0"}[value] if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    Path(".env.example").write_text(render())
