"""Tsudoi (集い): ask people, get their answers, decide, and tell them."""

import re
from pathlib import Path


def _version() -> str:
    """The version stands in `pyproject.toml` alone. Where the product is installed, its wheel has kept it."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    if project.is_file() and (
        found := re.search(r'^name = "tsudoi"\nversion = "(.+)"$', project.read_text("utf-8"), re.MULTILINE)
    ):
        return found[1]
    from importlib.metadata import version  # noqa: PLC0415 (a checkout does not need it, and it takes a while to load)

    return version("tsudoi")


def _commit() -> str:
    """Of which commit the wheel was built; empty in a checkout."""
    noted = Path(__file__).with_name("commit.txt")
    return noted.read_text("utf-8").strip() if noted.is_file() else ""


__version__ = _version()
__commit__ = _commit()
