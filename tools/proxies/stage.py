"""`tsudoi serve` behind nginx or Caddy with the example of docs/deploy, on free ports, with its own certificate."""

import shutil
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from tests.factories.events import make_event, make_members
from tests.factories.processes import Server, started
from tests.postgres import PostgresServer
from tests.servers import eventually, free_port, nobody_there
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.schema import migrate

EXAMPLES = Path(__file__).parents[2] / "docs" / "deploy"
# Not the address of the proxy, so that it is an address of somebody outside.
CLIENT = "127.0.0.9"
MEMBERS = [101, 102]
# What stands in /etc/nginx/nginx.conf around our file, with what our file asks for there.
_AROUND_NGINX = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/proxy.log info; user root; worker_processes 1;
{main}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxied;
    gzip on;
    include {folder}/site.conf;
}}
"""


@dataclass
class Stage:
    """Where everything is."""

    name: str
    folder: Path
    port: int
    event_id: int
    server: Server
    trust: ssl.SSLContext

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def client(self, timeout: float = 60) -> httpx2.Client:
        way = httpx2.HTTPTransport(verify=self.trust, local_address=CLIENT)
        return httpx2.Client(base_url=self.url, transport=way, timeout=timeout, trust_env=False)

    def metric(self, name: str) -> float:
        told = httpx2.get(f"{self.server.url}/metrics", trust_env=False, timeout=60).text
        return sum(float(line.split()[-1]) for line in told.splitlines() if line.startswith(name))

    def proxy_said(self) -> str:
        return (self.folder / "proxy.log").read_text(errors="replace")


Check = Callable[[Stage], str]


@contextmanager
def staged(name: str, folder: Path) -> Iterator[Stage]:
    certificate = _certificate(folder)
    port, inner = free_port(), free_port()
    event_id = _prepare(folder)
    with serving(folder, inner, port) as server, _proxy(name, folder, port, inner):
        trust = ssl.create_default_context(cafile=certificate)
        stage = Stage(name, folder, port, event_id, server, trust)
        with stage.client() as http:
            eventually(lambda: _answers(http))
        yield stage


@contextmanager
def serving(folder: Path, port: int, public: int) -> Iterator[Server]:
    """The server behind the proxy. It is gone when the block ends."""
    settings = {"PORT": str(port), "PUBLIC_BASE_URL": f"https://127.0.0.1:{public}", "TRUSTED_PROXIES": "127.0.0.1"}
    with started(folder, "serve", **settings, LINE_API_BASE=nobody_there()) as server:
        yield server


@dataclass
class Two:
    """Two servers on one PostgreSQL behind Caddy, by their ports."""

    stage: Stage
    servers: dict[int, Server]
    start: Callable[[int], AbstractContextManager[Server]]


@contextmanager
def two_staged(folder: Path) -> Iterator[Two]:
    certificate = _certificate(folder)
    port, *inner = free_port(), free_port(), free_port()
    (folder / "data").mkdir()
    with PostgresServer.started() as postgres, ExitStack() as stack:
        url = postgres.create_migrated()

        def start(one: int) -> AbstractContextManager[Server]:
            more = {"DATABASE_URL": url, "PORT": str(one), "PUBLIC_BASE_URL": f"https://127.0.0.1:{port}"}
            here = folder / str(one)
            here.mkdir(exist_ok=True)
            data_dir = {"DATA_DIR": str(folder / "data"), "TRUSTED_PROXIES": "127.0.0.1"}
            return started(here, "serve", **more, **data_dir, LINE_API_BASE=nobody_there())

        servers = {one: stack.enter_context(start(one)) for one in inner}
        command = _caddy(folder, port, *inner)
        with _running(command, folder):
            trust = ssl.create_default_context(cafile=certificate)
            stage = Stage("caddy", folder, port, 0, servers[inner[0]], trust)
            with stage.client() as http:
                eventually(lambda: _answers(http))
            yield Two(stage, servers, start)


def _answers(http: httpx2.Client) -> bool:
    try:
        return http.get("/livez").status_code == 200
    except httpx2.HTTPError:
        return False


def _prepare(folder: Path) -> int:
    (folder / "data").mkdir()
    url = f"sqlite:///{folder / 'data' / 'tsudoi.sqlite3'}"
    migrate(url)
    db = open_database(url, SystemClock())
    try:
        return make_event(db, make_members(db, *MEMBERS))
    finally:
        db.close()


def _certificate(folder: Path) -> Path:
    made = folder / "cert.pem"
    order = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=proxy -addext subjectAltName=IP:127.0.0.1"
    subprocess.run([*order.split(), "-keyout", folder / "key.pem", "-out", made], check=True, capture_output=True)
    return made


@contextmanager
def _proxy(name: str, folder: Path, port: int, inner: int) -> Iterator[None]:
    with _running(_caddy(folder, port, inner) if name == "caddy" else _nginx(folder, port, inner), folder):
        yield


@contextmanager
def _running(command: list[str], folder: Path) -> Iterator[None]:
    with (folder / "proxy.log").open("ab") as sink:
        process = subprocess.Popen(command, stdout=sink, stderr=sink, cwd=folder)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _caddy(folder: Path, port: int, *inner: int) -> list[str]:
    text = (EXAMPLES / ("Caddyfile" if len(inner) == 1 else "Caddyfile.two")).read_text()
    for number, one in enumerate(inner):
        text = text.replace(f"127.0.0.1:{8000 + number}", f"127.0.0.1:{one}")
    tls = f"\ttls {folder}/cert.pem {folder}/key.pem\n"
    text = text.replace("tsudoi.example.jp {\n", f"https://127.0.0.1:{port} {{\n{tls}")
    text = text.replace("{\n\tservers", "{\n\tadmin off\n\tauto_https disable_redirects\n\tdebug\n\tservers", 1)
    (folder / "Caddyfile").write_text(text)
    return [_program("caddy"), "run", "--config", str(folder / "Caddyfile")]


def _nginx(folder: Path, port: int, inner: int) -> list[str]:
    text = (EXAMPLES / "nginx.conf").read_text()
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{inner}").replace("listen 443", f"listen {port}")
    keys = f"ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;"
    text = text.replace("# ssl_certificate …; ssl_certificate_key …;", keys)
    (folder / "site.conf").write_text(text)
    main = "\n".join(line.removeprefix("#   ") for line in text.splitlines() if line.startswith("#   "))
    (folder / "nginx.conf").write_text(_AROUND_NGINX.format(folder=folder, main=main))
    return [_program("nginx"), "-c", str(folder / "nginx.conf")]


def _program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        raise SystemExit(f"{name} is not installed")
    return found
