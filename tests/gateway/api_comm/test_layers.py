"""API_COMM reaches the outside through the clients alone, and holds neither addresses nor keys."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "src" / "tsudoi"
OURS = tuple(f"tsudoi.gateway.clients.{name}" for name in ("stores", "chatwork", "sms", "karaden", "remote_lock"))
NETWORK = {"httpcore2", "httpx2", "httpx", "requests", "urllib3", "urllib", "socket", "smtplib", "http", "aiohttp"}


def imported(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    plain = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    return plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


@pytest.mark.row("4.2.5", "4.6.1", "4.2.6")
def test_the_library_imports_no_network_and_no_settings() -> None:
    modules = list((PACKAGE / "gateway" / "api_comm").glob("*.py"))
    assert len(modules) > 15
    for path in modules:
        names = imported(path)
        assert not {name.partition(".")[0] for name in names} & NETWORK, path.name
        assert "tsudoi.core.settings" not in names, path.name
        assert not [name for name in names if name.startswith("tsudoi.core.db")], path.name


def test_the_shops_reach_the_outside_through_the_library_alone() -> None:
    """The one place that knows clients is the one that puts the library together."""
    users = [
        path.relative_to(PACKAGE).as_posix()
        for path in (PACKAGE / "shops").rglob("*.py")
        if any(name.startswith(OURS) for name in imported(path))
    ]
    assert users == ["shops/api_data/service.py"]
