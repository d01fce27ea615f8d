"""The one list of contexts. A new context is a folder with a `context.py`, and a line here."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module

from tsudoi.access.registration import ActiveContexts, Context
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.core.secrets_check import BadSettings, SecretRule
from tsudoi.core.settings import Settings
from tsudoi.gateway.http import HttpGateway

# The order of the menus, and of the headings of the API description.
NAMES = (
    "home",
    "events",
    "booking",
    "scheduling",
    "shops",
    "alarms",
    "notifications",
    "line",
    "roster",
    "access",
)
CONTEXTS: tuple[Context, ...] = tuple(import_module(f"tsudoi.{name}.context").CONTEXT for name in NAMES)


def active_contexts(settings: Settings, contexts: Iterable[Context] = CONTEXTS) -> tuple[Context, ...]:
    """Return the contexts that are always on and the optional ones in `FEATURES`.

    When it is empty, these are all of them, except contexts none of whose own settings are filled in.
    """
    contexts = tuple(contexts)
    known = [context.name for context in contexts if context.optional]
    unknown = [name for name in settings.features if name not in known]
    if unknown:
        raise BadSettings(
            [
                f"FEATURES: 「{name}」という機能はありません / there is no part called {name} → {', '.join(known)}"
                for name in unknown
            ]
        )
    wanted = settings.features or [context.name for context in contexts if context.is_wanted(settings)]
    return tuple(context for context in contexts if not context.optional or context.name in wanted)


def required_settings(contexts: Iterable[Context]) -> dict[str, SecretRule]:
    return {name: rule for context in contexts for name, rule in context.required_settings.items()}


@contextmanager
def open_runtime(
    settings: Settings, db: Database, contexts: Iterable[Context] = CONTEXTS, replacements: Iterable[object] = ()
) -> Iterator[Runtime]:
    """Open the runtime with the clients of every active context. `replacements` replace parts of their class."""
    runtime, stand_ins = Runtime.of(settings, db), {type(part): part for part in replacements}
    known = tuple(contexts)
    active = active_contexts(settings, known)
    try:
        runtime.add(ActiveContexts(active, known))
        runtime.add(stand_ins.get(HttpGateway) or HttpGateway(db))
        for context in active:
            for make in context.parts:
                part = make(runtime)
                runtime.add(stand_ins.get(type(part), part))
        yield runtime
    finally:
        runtime.close()
