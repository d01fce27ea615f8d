"""Inside a noun's folder the file names are a closed vocabulary, in every context that there is or will be."""

from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "tsudoi"
WORDS = {"endpoints", "jobs", "commands", "service", "queries", "schemas", "models", "rules", "errors"}
# Not made of nouns: what everybody shares, the commands, the migrations, the sandbox; and one file per outside system.
WITHOUT_NOUNS = {"core", "commands", "migrations", "sandbox"}
# The parts of `gateway/api_comm` have the names that its document gives them.
OWN_NAMES = (PACKAGE / "gateway" / "clients", PACKAGE / "gateway" / "api_comm")


def nouns() -> list[Path]:
    contexts = [
        path for path in PACKAGE.iterdir() if (path / "__init__.py").exists() and path.name not in WITHOUT_NOUNS
    ]
    folders = [noun for context in contexts for noun in context.iterdir() if (noun / "__init__.py").exists()]
    return [noun for noun in folders if noun not in OWN_NAMES]


def test_every_noun_speaks_the_closed_vocabulary() -> None:
    children = [
        child for noun in nouns() for child in noun.iterdir() if child.name not in ("__init__.py", "__pycache__")
    ]
    strangers = [str(child.relative_to(PACKAGE)) for child in children if child.stem not in WORDS]
    assert nouns()
    assert strangers == []


def test_no_package_re_exports_anything() -> None:
    inits = [path for path in PACKAGE.rglob("__init__.py") if path != PACKAGE / "__init__.py"]
    barrels = [str(path.relative_to(PACKAGE)) for path in inits if "import " in path.read_text()]
    assert barrels == []


def test_every_context_is_listed() -> None:
    from tsudoi.contexts import NAMES  # noqa: PLC0415 (after the folders, which are what is tested)

    assert {path.parent.name for path in PACKAGE.glob("*/context.py")} == set(NAMES)


def test_make_check_goes_through_every_context() -> None:
    """One test over HTTP of what works and one of what is refused: many faults lie between the parts."""
    from tsudoi.contexts import NAMES  # noqa: PLC0415 (after the folders, which are what is tested)

    tests = PACKAGE.parents[1] / "tests"
    texts = {name: "".join(path.read_text() for path in (tests / name).rglob("test_*.py")) for name in NAMES}
    kinds = ("happy_path", "refusal")
    missing = [(name, kind) for name in NAMES for kind in kinds if f'quick("{kind}")' not in texts[name]]
    assert missing == []
