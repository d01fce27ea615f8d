"""`python -m bench.own_server MODULE:FUNCTION PORT`: an application of ours behind the server of `tsudoi serve`."""

import socket
import sys
from importlib import import_module

from prometheus_client import CollectorRegistry

from tsudoi.commands.serving.limits import ConnectionLimits
from tsudoi.commands.serving.server import LimitedServer


def main(factory: str, port: str) -> None:
    module, _, function = factory.partition(":")
    app = getattr(import_module(module), function)()
    listening = socket.create_server(("127.0.0.1", int(port)), backlog=2048)
    server = LimitedServer(app, ConnectionLimits(), CollectorRegistry(), begin_stop=lambda: None)
    server.run(sockets=[listening])


if __name__ == "__main__":
    main(*sys.argv[1:])
