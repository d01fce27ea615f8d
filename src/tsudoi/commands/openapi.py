import sys

import orjson

from tsudoi.app import create_api


def openapi_json() -> bytes:
    return orjson.dumps(create_api().openapi(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def print_openapi() -> int:
    sys.stdout.buffer.write(openapi_json())
    return 0
