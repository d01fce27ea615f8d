"""Writes what the pages know of the contexts: for the development servers and the web tests, which have no server."""

from pathlib import Path

import orjson

from tsudoi.access.spa import contexts_config
from tsudoi.contexts import CONTEXTS

FILE = Path("web/api/default-config.json")


def render() -> bytes:
    return orjson.dumps(contexts_config(CONTEXTS), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    FILE.write_bytes(render())
